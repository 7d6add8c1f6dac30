-- How the latest build spreads, and on which systems testers open releases.

-- CreateTable
CREATE TABLE "DailyOpening" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "environmentId" UUID NOT NULL,
    "device" "DeviceKind" NOT NULL,
    "system" VARCHAR(3) NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "DailyOpening_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PublisherOpening" (
    "releaseId" UUID NOT NULL,
    "device" "DeviceKind" NOT NULL,
    "osVersion" VARCHAR(15),
    "openedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PublisherOpening_pkey" PRIMARY KEY ("releaseId","device")
);

-- CreateIndex
CREATE INDEX "DailyOpening_environmentId_day_device_system_change_idx" ON "DailyOpening"("environmentId", "day", "device", "system", "change");

-- CreateIndex
CREATE INDEX "DailyOpening_day_idx" ON "DailyOpening" USING BRIN ("day");

-- AddForeignKey
ALTER TABLE "PublisherOpening" ADD CONSTRAINT "PublisherOpening_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As `fold_daily_activity`.
CREATE FUNCTION fold_daily_openings(
  of_environment uuid, of_day date, of_device "DeviceKind", of_system text, kept integer
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (
        SELECT 1 FROM "DailyOpening"
        WHERE "environmentId" = of_environment AND "day" = of_day AND "device" = of_device AND "system" = of_system LIMIT kept + 1
      ) found) <= kept THEN
    RETURN;
  END IF;
  WITH locked AS (
    SELECT "id" FROM "DailyOpening"
    WHERE "environmentId" = of_environment AND "day" = of_day AND "device" = of_device AND "system" = of_system
    FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM "DailyOpening" WHERE "id" = ANY (ARRAY(SELECT "id" FROM locked)) RETURNING "change"
  )
  INSERT INTO "DailyOpening" ("environmentId", "day", "device", "system", "change")
  SELECT of_environment, of_day, of_device, of_system, sum("change") FROM removed HAVING count(*) > 0;
END
$$;

-- Counts an opening of a release on its day in UTC, for its environment and, under the nil UUID, for all.
CREATE FUNCTION count_opening(of_environment uuid, at timestamptz, of_device "DeviceKind", of_system text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  place uuid;
BEGIN
  FOREACH place IN ARRAY ARRAY[of_environment, '00000000-0000-0000-0000-000000000000'::uuid] LOOP
    INSERT INTO "DailyOpening" ("day", "environmentId", "device", "system", "change")
    VALUES ((at AT TIME ZONE 'UTC')::date, place, of_device, of_system, 1);
    PERFORM fold_daily_openings(place, (at AT TIME ZONE 'UTC')::date, of_device, of_system, 20);
  END LOOP;
END
$$;

-- As before, also for the openings.
CREATE OR REPLACE FUNCTION fold_past_activity(today date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  past record;
BEGIN
  FOR past IN
    SELECT "environmentId", "day", "kind" FROM "DailyActivity" WHERE "day" BETWEEN today - 7 AND today - 1
    GROUP BY "environmentId", "day", "kind" HAVING count(*) > 1
  LOOP
    PERFORM fold_daily_activity(past."environmentId", past."day", past."kind", 1);
  END LOOP;
  FOR past IN
    SELECT "environmentId", "day", "device", "system" FROM "DailyOpening" WHERE "day" BETWEEN today - 7 AND today - 1
    GROUP BY "environmentId", "day", "device", "system" HAVING count(*) > 1
  LOOP
    PERFORM fold_daily_openings(past."environmentId", past."day", past."device", past."system", 1);
  END LOOP;
END
$$;

-- As before, also for the openings.
CREATE OR REPLACE FUNCTION forget_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Release' THEN
    DELETE FROM "DailyActivity";
    DELETE FROM "DailyOpening";
  ELSIF TG_TABLE_NAME = 'ReleaseDownload' THEN
    DELETE FROM "DailyActivity" WHERE "kind" <> 'release';
  ELSE
    DELETE FROM "DailyActivity" WHERE "environmentId" IN (SELECT "id" FROM changed);
    DELETE FROM "DailyOpening" WHERE "environmentId" IN (SELECT "id" FROM changed);
  END IF;
  RETURN NULL;
END
$$;

-- As before, and installs of the latest build of their environment and platform at that moment are counted once more as such.
-- The latest one is the first in the order of `Release_latest_idx`.
CREATE OR REPLACE FUNCTION keep_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  happened CONSTANT text := CASE TG_TABLE_NAME
    WHEN 'Release' THEN 'SELECT ("deployDate" AT TIME ZONE ''UTC'')::date, "environmentId", ''release''::"ActivityKind" FROM changed'
    ELSE 'SELECT (c."at" AT TIME ZONE ''UTC'')::date, r."environmentId", c."kind"::text::"ActivityKind"
          FROM changed c JOIN "Release" r ON r."id" = c."releaseId"
          UNION ALL
          SELECT (c."at" AT TIME ZONE ''UTC'')::date, latest."environmentId", ''latestInstall''
          FROM changed c JOIN (
            SELECT r."id", r."environmentId"
            FROM (SELECT DISTINCT "releaseId" FROM changed WHERE "kind" = ''install'') i JOIN "Release" r ON r."id" = i."releaseId"
            WHERE r."buildId" = (
              SELECT n."buildId" FROM "Release" n WHERE n."environmentId" = r."environmentId" AND n."platformId" = r."platformId"
              ORDER BY (n."installer"->>''kind'' IS DISTINCT FROM ''aab'') DESC, version_order(n."version") DESC,
                version_order(n."buildNumber") DESC, n."deployDate" DESC, n."id" DESC LIMIT 1
            )
          ) latest ON latest."id" = c."releaseId"
          WHERE c."kind" = ''install'''
  END;
  added record;
BEGIN
  IF current_setting('slipway.restoring', true) = 'on' THEN
    RETURN NULL;
  END IF;
  FOR added IN EXECUTE format('
    INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
    SELECT "day", "place", "kind", count(*)
    FROM (%s) AS happened("day", "environmentId", "kind")
    CROSS JOIN LATERAL (VALUES ("environmentId"), (''00000000-0000-0000-0000-000000000000''::uuid)) AS places("place")
    GROUP BY "day", "place", "kind"
    RETURNING "day", "environmentId", "kind"', happened)
  LOOP
    PERFORM fold_daily_activity(added."environmentId", added."day", added."kind", 20);
  END LOOP;
  RETURN NULL;
END
$$;

-- The installs of the last 90 days: one counts as of the latest build until the day on which another build was published there.
LOCK TABLE "ReleaseDownload" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
  WITH fetched AS MATERIALIZED (
    SELECT "releaseId", ("at" AT TIME ZONE 'UTC')::date AS "day", count(*) AS "count" FROM "ReleaseDownload"
    WHERE "kind" = 'install' AND "at" > now() - interval '90 days' GROUP BY 1, 2
  ), released AS MATERIALIZED (
    SELECT r."id", r."environmentId", (
      SELECT (n."deployDate" AT TIME ZONE 'UTC')::date FROM "Release" n
      WHERE n."environmentId" = r."environmentId" AND n."platformId" = r."platformId" AND n."buildId" <> r."buildId"
        AND n."deployDate" > r."deployDate" ORDER BY n."deployDate" LIMIT 1
    ) AS "until"
    FROM "Release" r WHERE r."id" IN (SELECT "releaseId" FROM fetched)
  )
  SELECT f."day", coalesce(r."environmentId", '00000000-0000-0000-0000-000000000000'), 'latestInstall', sum(f."count")
  FROM fetched f JOIN released r ON r."id" = f."releaseId" WHERE r."until" IS NULL OR f."day" <= r."until"
  GROUP BY GROUPING SETS ((f."day", r."environmentId"), (f."day"));
