-- Builds: the releases of an environment that people see as one. See the models `Build` and `Release.buildId`.
-- Contract: the default and the triggers give the releases that the previous version writes a build.

-- CreateTable
CREATE TABLE "Build" (
    "id" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "version" VARCHAR(100) NOT NULL,
    "deployDate" TIMESTAMPTZ(3) NOT NULL,
    "size" BIGINT NOT NULL,
    "releases" INTEGER NOT NULL,

    CONSTRAINT "Build_pkey" PRIMARY KEY ("id","platformId")
);

-- CreateTable
CREATE TABLE "BuildCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "BuildCount_pkey" PRIMARY KEY ("id")
);

-- Writers wait until this transaction ends, and find the triggers then.
ALTER TABLE "Release" ADD COLUMN     "buildId" UUID;

-- The releases with one version and build number are one build.
UPDATE "Release" r SET "buildId" = b."id" FROM (
  SELECT "environmentId", "version", "buildNumber", gen_random_uuid() AS "id" FROM "Release"
  GROUP BY "environmentId", "version", "buildNumber"
) b
WHERE (r."environmentId", r."version", r."buildNumber") = (b."environmentId", b."version", b."buildNumber");

ALTER TABLE "Release" ALTER COLUMN "buildId" SET DEFAULT gen_random_uuid();
ALTER TABLE "Release" ALTER COLUMN "buildId" SET NOT NULL;

-- CreateIndex
CREATE INDEX "Release_buildId_deployDate_id_idx" ON "Release"("buildId", "deployDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Release_environmentId_version_buildNumber_deployDate_id_idx" ON "Release"("environmentId", "version", "buildNumber", "deployDate" DESC, "id" DESC);

CREATE INDEX "Release_commit_idx" ON "Release"
  ("environmentId", "version", ("metadata"->>'gitCommit'), "deployDate" DESC, "id" DESC)
  WHERE "metadata"->>'gitCommit' IS NOT NULL;

-- The builds of one version and commit are one, unless both have the same kind of installer for the same platform.
DO $$
DECLARE
  release record;
  place text := '';
  kept uuid;
BEGIN
  FOR release IN
    SELECT r."id", concat_ws(' ', r."environmentId", r."version", r."metadata"->>'gitCommit') AS "place"
    FROM "Release" r JOIN (
      SELECT "environmentId", "version", "metadata"->>'gitCommit' AS "commit" FROM "Release"
      WHERE "metadata"->>'gitCommit' IS NOT NULL
      GROUP BY 1, 2, 3 HAVING count(DISTINCT "buildId") > 1
    ) several ON (r."environmentId", r."version", r."metadata"->>'gitCommit')
      = (several."environmentId", several."version", several."commit")
    ORDER BY 2, r."deployDate", r."id"
  LOOP
    IF release."place" = place THEN
      UPDATE "Release" r SET "buildId" = kept
      WHERE r."buildId" = (SELECT "buildId" FROM "Release" WHERE "id" = release."id") AND r."buildId" <> kept
        AND NOT EXISTS (
          SELECT 1 FROM "Release" one JOIN "Release" other ON one."platformId" = other."platformId"
            AND one."installer"->>'kind' IS NOT DISTINCT FROM other."installer"->>'kind'
          WHERE one."buildId" = kept AND other."buildId" = r."buildId"
        );
    END IF;
    place := release."place";
    SELECT "buildId" INTO kept FROM "Release" WHERE "id" = release."id";
  END LOOP;
END
$$;

-- Chooses the build of a release: that of the last one with the same version and build number, otherwise that of the last one with
-- the same version and commit if it has no such installer for the platform yet, otherwise a new one.
CREATE FUNCTION release_build() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid;
  commit text := NEW."metadata"->>'gitCommit';
BEGIN
  -- Two releases of one version that are published at the same moment find each other. A statement with many versions takes 1024
  -- locks at most.
  PERFORM pg_advisory_xact_lock(hashtext('Build'), hashtext(NEW."environmentId"::text || NEW."version") & 1023);
  SELECT r."buildId" INTO chosen FROM "Release" r
  WHERE r."environmentId" = NEW."environmentId" AND r."version" = NEW."version" AND r."buildNumber" = NEW."buildNumber"
    AND r."id" <> NEW."id"
  ORDER BY r."deployDate" DESC, r."id" DESC LIMIT 1;
  IF chosen IS NULL AND commit IS NOT NULL THEN
    SELECT last."buildId" INTO chosen FROM (
      SELECT r."buildId" FROM "Release" r
      WHERE r."environmentId" = NEW."environmentId" AND r."version" = NEW."version" AND r."metadata"->>'gitCommit' = commit
        AND r."id" <> NEW."id"
      ORDER BY r."deployDate" DESC, r."id" DESC LIMIT 1
    ) last
    WHERE NOT EXISTS (
      SELECT 1 FROM "Release" r
      WHERE r."buildId" = last."buildId" AND r."platformId" = NEW."platformId" AND r."id" <> NEW."id"
        AND r."installer"->>'kind' IS NOT DISTINCT FROM NEW."installer"->>'kind'
    );
  END IF;
  IF chosen IS NULL AND TG_OP = 'UPDATE' AND NEW."environmentId" = OLD."environmentId"
    AND NOT EXISTS (SELECT 1 FROM "Release" r WHERE r."buildId" = OLD."buildId" AND r."id" <> NEW."id") THEN
    chosen := OLD."buildId";
  END IF;
  NEW."buildId" := coalesce(chosen, gen_random_uuid());
  RETURN NEW;
END
$$;

-- Writes the rows of some builds from their releases, and removes those without any.
CREATE FUNCTION settle_builds(builds uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  whole CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  -- The next statement sees what others have committed until then.
  PERFORM 1 FROM "Build" WHERE "id" = ANY(builds) AND "platformId" = whole ORDER BY "id" FOR UPDATE;
  WITH files AS MATERIALIZED (
    SELECT "buildId" AS "id", "environmentId", "platformId", "version", max("deployDate") AS "deployDate",
      sum("size") AS "size", count(*) AS "releases"
    FROM "Release" WHERE "buildId" = ANY(builds) GROUP BY "buildId", "environmentId", "platformId", "version"
  ), totals AS (
    SELECT "id", "environmentId", "version", max("deployDate") AS "deployDate", sum("size") AS "size", sum("releases") AS "releases"
    FROM files GROUP BY "id", "environmentId", "version"
  ), settled AS MATERIALIZED (
    SELECT totals."id", p."platformId", "environmentId", "version", "deployDate", "size", "releases"
    FROM totals JOIN (SELECT "id", "platformId" FROM files UNION ALL SELECT "id", whole FROM totals) p ON p."id" = totals."id"
  ), removed AS (
    DELETE FROM "Build" b WHERE b."id" = ANY(builds)
      AND NOT EXISTS (SELECT 1 FROM settled s WHERE (s."id", s."platformId") = (b."id", b."platformId"))
  )
  INSERT INTO "Build" AS b ("id", "platformId", "environmentId", "version", "deployDate", "size", "releases")
  SELECT "id", "platformId", "environmentId", "version", "deployDate", "size", "releases" FROM settled
  ON CONFLICT ("id", "platformId") DO UPDATE
    SET "version" = EXCLUDED."version", "deployDate" = EXCLUDED."deployDate", "size" = EXCLUDED."size",
      "releases" = EXCLUDED."releases"
    WHERE (b."version", b."deployDate", b."size", b."releases")
      IS DISTINCT FROM (EXCLUDED."version", EXCLUDED."deployDate", EXCLUDED."size", EXCLUDED."releases");
END
$$;

CREATE FUNCTION settle_changed_builds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_builds(ARRAY(SELECT DISTINCT "buildId" FROM changed));
  RETURN NULL;
END
$$;

CREATE FUNCTION settle_left_build() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM settle_builds(ARRAY[OLD."buildId", NEW."buildId"]);
  RETURN NULL;
END
$$;

SELECT settle_builds(ARRAY(SELECT DISTINCT "buildId" FROM "Release"));

INSERT INTO "BuildCount" ("environmentId", "platformId", "change")
  SELECT "environmentId", "platformId", count(*) FROM "Build" GROUP BY "environmentId", "platformId";

CREATE TRIGGER "Release_build_of_new" BEFORE INSERT ON "Release" FOR EACH ROW EXECUTE FUNCTION release_build();
CREATE TRIGGER "Release_build_of_changed" BEFORE UPDATE OF "environmentId", "version", "buildNumber", "metadata" ON "Release"
  FOR EACH ROW WHEN ((OLD."environmentId", OLD."version", OLD."buildNumber", OLD."metadata"->>'gitCommit')
    IS DISTINCT FROM (NEW."environmentId", NEW."version", NEW."buildNumber", NEW."metadata"->>'gitCommit'))
  EXECUTE FUNCTION release_build();
CREATE TRIGGER "Release_builds_inserted" AFTER INSERT ON "Release" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION settle_changed_builds();
CREATE TRIGGER "Release_builds_deleted" AFTER DELETE ON "Release" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION settle_changed_builds();
CREATE TRIGGER "Release_builds_updated" AFTER UPDATE ON "Release" FOR EACH ROW
  WHEN ((OLD."buildId", OLD."platformId", OLD."version", OLD."deployDate", OLD."size")
    IS DISTINCT FROM (NEW."buildId", NEW."platformId", NEW."version", NEW."deployDate", NEW."size"))
  EXECUTE FUNCTION settle_left_build();
CREATE TRIGGER "Release_builds_truncated" AFTER TRUNCATE ON "Release"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('Build');

CREATE TRIGGER "Build_count_inserted" AFTER INSERT ON "Build" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('BuildCount', '"environmentId", "platformId"');
CREATE TRIGGER "Build_count_deleted" AFTER DELETE ON "Build" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('BuildCount', '"environmentId", "platformId"');
CREATE TRIGGER "Build_count_truncated" AFTER TRUNCATE ON "Build"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('BuildCount');

-- CreateIndex
CREATE INDEX "Build_environmentId_platformId_deployDate_id_idx" ON "Build"("environmentId", "platformId", "deployDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Build_environmentId_platformId_version_deployDate_id_idx" ON "Build"("environmentId", "platformId", "version", "deployDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Build_environmentId_platformId_size_id_idx" ON "Build"("environmentId", "platformId", "size", "id");

-- CreateIndex
CREATE INDEX "BuildCount_environmentId_platformId_idx" ON "BuildCount"("environmentId", "platformId");

-- By version as `version_order` compares it.
CREATE INDEX "Build_version_order_idx" ON "Build" ("environmentId", "platformId", version_order("version"), "id");

-- AddForeignKey
ALTER TABLE "Build" ADD CONSTRAINT "Build_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
