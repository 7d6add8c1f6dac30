-- Totals of each day by system and by model, so that a plot of a period reads as many rows as its days have systems and models, and not
-- as they have pairs of both.

INSERT INTO "InstallCount" ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest", "begun",
  "complete", "icons", "unseen")
SELECT "environmentId", "releaseId", "day", "os", "system", "device", sum("opened"), sum("tapped"), sum("manifest"), sum("begun"),
  sum("complete"), sum("icons"), sum("unseen")
FROM "InstallCount" WHERE "day" IS NOT NULL AND "os" IS NOT NULL
GROUP BY "environmentId", "releaseId", "day", GROUPING SETS (("os", "system"), ("device"));

DROP INDEX "InstallCount_totals_idx";
CREATE INDEX "InstallCount_totals_idx" ON "InstallCount"("releaseId", "environmentId")
  WHERE "day" IS NULL OR ("os" IS NULL AND "device" IS NULL);
-- In the order of the days, with what is summed up, so that the rows themselves are not read.
CREATE INDEX "InstallCount_days_idx" ON "InstallCount"("releaseId", "environmentId", "day")
  INCLUDE ("os", "system", "device", "opened", "tapped", "manifest", "begun", "complete", "icons", "unseen")
  WHERE "day" IS NOT NULL AND ("os" IS NULL OR "device" IS NULL);
