-- Totals beside the counts by day, system and model, so that a plot of all days reads a few rows.

-- AlterTable
ALTER TABLE "InstallCount" ALTER COLUMN "day" DROP NOT NULL,
ALTER COLUMN "os" DROP NOT NULL,
ALTER COLUMN "system" DROP NOT NULL,
ALTER COLUMN "device" DROP NOT NULL;

-- AlterTable
ALTER TABLE "InstallStop" ALTER COLUMN "day" DROP NOT NULL;

CREATE INDEX "InstallCount_totals_idx" ON "InstallCount"("releaseId", "environmentId") WHERE "day" IS NULL OR "os" IS NULL;
CREATE INDEX "InstallStop_totals_idx" ON "InstallStop"("releaseId", "environmentId") WHERE "day" IS NULL;

INSERT INTO "InstallCount" ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest", "begun",
  "complete", "icons", "unseen")
SELECT "environmentId", "releaseId", "day", "os", "system", "device", sum("opened"), sum("tapped"), sum("manifest"), sum("begun"),
  sum("complete"), sum("icons"), sum("unseen")
FROM "InstallCount" GROUP BY "environmentId", "releaseId", GROUPING SETS (("day"), ("os", "system"), ("device"));

INSERT INTO "InstallStop" ("environmentId", "releaseId", "day", "step", "codes", "count")
SELECT "environmentId", "releaseId", NULL, "step", "codes", sum("count") FROM "InstallStop"
GROUP BY "environmentId", "releaseId", "step", "codes";
