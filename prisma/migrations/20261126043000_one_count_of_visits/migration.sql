-- The numbers of days and systems count the visits of `InstallVisit`, as the counts of steps do, instead of downloads and openings of
-- their own. What was downloaded before there were visits becomes part of the counts of steps.

-- Which way a visit fetched the package; null until it did.
CREATE FUNCTION visit_kind(begun timestamptz, manifest timestamptz) RETURNS "ActivityKind" LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN begun IS NULL THEN NULL WHEN manifest IS NULL THEN 'download' ELSE 'install' END::"ActivityKind"
$$;

-- The system of a visit as it is counted: the first number of the iOS version, or the Android API level.
CREATE FUNCTION visit_system("osVersion" text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(substring("osVersion" from '^\d{1,2}(?=\.|$)'), '')
$$;

-- Counts visits that went on, on the day on which they began, for their environment and, under the nil UUID, for all. A visit that
-- goes on on another device or fetches the package in another way is moved. An install is counted once more if its release is of the
-- latest build of its environment and platform at that moment.
CREATE FUNCTION keep_visit_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added record;
BEGIN
  FOR added IN
    WITH moved AS MATERIALIZED (
      SELECT "releaseId", "environmentId", "day", "kind", sum("change") AS "change" FROM (
        SELECT "releaseId", "environmentId", "day", visit_kind("begunAt", "manifestAt") AS "kind", 1 AS "change" FROM changed
        UNION ALL SELECT "releaseId", "environmentId", "day", visit_kind("begunAt", "manifestAt"), -1 FROM before
      ) v WHERE "kind" IS NOT NULL GROUP BY 1, 2, 3, 4 HAVING sum("change") <> 0
    ), happened AS (
      SELECT "day", "environmentId", "kind", "change" FROM moved
      UNION ALL
      SELECT m."day", m."environmentId", 'latestInstall', m."change" FROM moved m JOIN "Release" r ON r."id" = m."releaseId"
      WHERE m."kind" = 'install' AND r."buildId" = (
        SELECT n."buildId" FROM "Release" n WHERE n."environmentId" = r."environmentId" AND n."platformId" = r."platformId"
        ORDER BY (n."installer"->>'kind' IS DISTINCT FROM 'aab') DESC, version_order(n."version") DESC,
          version_order(n."buildNumber") DESC, n."deployDate" DESC, n."id" DESC LIMIT 1
      )
    )
    INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
    SELECT h."day", places."place", h."kind", sum(h."change") FROM happened h
    CROSS JOIN LATERAL (VALUES (h."environmentId"), ('00000000-0000-0000-0000-000000000000'::uuid)) AS places("place")
    GROUP BY 1, 2, 3 HAVING sum(h."change") <> 0
    RETURNING "day", "environmentId", "kind"
  LOOP
    PERFORM fold_daily_activity(added."environmentId", added."day", added."kind", 20);
  END LOOP;
  FOR added IN
    WITH happened AS (
      SELECT "day", "environmentId", "os", visit_system("osVersion") AS "system", 1 AS "change" FROM changed
      WHERE "openedAt" IS NOT NULL AND "os" <> 'desktop'
      UNION ALL
      SELECT "day", "environmentId", "os", visit_system("osVersion"), -1 FROM before
      WHERE "openedAt" IS NOT NULL AND "os" <> 'desktop'
    )
    INSERT INTO "DailyOpening" ("day", "environmentId", "device", "system", "change")
    SELECT h."day", places."place", h."os", h."system", sum(h."change") FROM happened h
    CROSS JOIN LATERAL (VALUES (h."environmentId"), ('00000000-0000-0000-0000-000000000000'::uuid)) AS places("place")
    GROUP BY 1, 2, 3, 4 HAVING sum(h."change") <> 0
    RETURNING "day", "environmentId", "device", "system"
  LOOP
    PERFORM fold_daily_openings(added."environmentId", added."day", added."device", added."system", 20);
  END LOOP;
  RETURN NULL;
END
$$;

-- Visits begin with an empty row, which is updated: rows that a restored release brings back are not counted again.
CREATE TRIGGER "InstallVisit_activity" AFTER UPDATE ON "InstallVisit" REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_visit_activity();
CREATE TRIGGER "InstallVisit_activity_truncated" AFTER TRUNCATE ON "InstallVisit"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_daily_activity();

-- Downloads are no longer counted by day beside the visits, also those of the previous version while it still runs.
DROP TRIGGER "ReleaseDownload_activity" ON "ReleaseDownload";
DROP TRIGGER "ReleaseDownload_activity_truncated" ON "ReleaseDownload";

-- The previous version calls it for openings, which are visits there too.
CREATE OR REPLACE FUNCTION count_opening(of_environment uuid, at timestamptz, of_device "DeviceKind", of_system text) RETURNS void
LANGUAGE sql AS $$ SELECT $$;

-- As before, for the tables that are left.
CREATE OR REPLACE FUNCTION forget_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Release' THEN
    DELETE FROM "DailyActivity";
    DELETE FROM "DailyOpening";
  ELSIF TG_TABLE_NAME = 'InstallVisit' THEN
    DELETE FROM "DailyActivity" WHERE "kind" <> 'release';
    DELETE FROM "DailyOpening";
  ELSE
    DELETE FROM "DailyActivity" WHERE "environmentId" IN (SELECT "id" FROM changed);
    DELETE FROM "DailyOpening" WHERE "environmentId" IN (SELECT "id" FROM changed);
  END IF;
  RETURN NULL;
END
$$;

-- As before, for releases alone.
CREATE OR REPLACE FUNCTION keep_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added record;
BEGIN
  IF current_setting('slipway.restoring', true) = 'on' THEN
    RETURN NULL;
  END IF;
  FOR added IN
    INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
    SELECT (c."deployDate" AT TIME ZONE 'UTC')::date, places."place", 'release', count(*) FROM changed c
    CROSS JOIN LATERAL (VALUES (c."environmentId"), ('00000000-0000-0000-0000-000000000000'::uuid)) AS places("place")
    GROUP BY 1, 2
    RETURNING "day", "environmentId", "kind"
  LOOP
    PERFORM fold_daily_activity(added."environmentId", added."day", added."kind", 20);
  END LOOP;
  RETURN NULL;
END
$$;

-- The downloads of the time before there were visits: one visit for each user and release, and one for each download of somebody without
-- an account. Those of API tokens are no visits. It is not known whether they were sent whole.
CREATE TEMPORARY TABLE earlier ON COMMIT DROP AS
  SELECT d."releaseId", r."environmentId", d."userId", min(d."at") AS "begunAt", max(d."at") AS "lastAt",
    (min(d."at") AT TIME ZONE 'UTC')::date AS "day", bool_or(d."kind" = 'install') AS "isInstall",
    (array_agg(CASE d."userAgent" WHEN 'Android' THEN 'android' WHEN 'iPhone' THEN 'ios' WHEN 'iPad' THEN 'ipados'
       ELSE CASE d."kind" WHEN 'install' THEN 'ios' ELSE 'desktop' END END::"DeviceKind" ORDER BY d."at"))[1] AS "os"
  FROM "ReleaseDownload" d JOIN "Release" r ON r."id" = d."releaseId"
  WHERE d."at" < coalesce((SELECT min("openedAt") FROM "InstallVisit"), now()) AND (d."byLink" OR d."userId" IS NOT NULL)
  GROUP BY d."releaseId", r."environmentId", d."userId", CASE WHEN d."userId" IS NULL THEN d."id" END;

DELETE FROM earlier e WHERE "userId" IS NOT NULL AND (
  EXISTS (SELECT 1 FROM "InstallVisit" v WHERE v."releaseId" = e."releaseId" AND v."visitorId" = e."userId")
  OR NOT EXISTS (SELECT 1 FROM "User" u WHERE u."id" = e."userId"));

INSERT INTO "InstallVisit" ("releaseId", "visitorId", "userId", "environmentId", "day", "os", "fromStore", "openedAt", "tappedAt",
  "manifestAt", "begunAt", "lastAt")
SELECT "releaseId", "userId", "userId", "environmentId", "day", "os", true, "begunAt", "begunAt",
  CASE WHEN "isInstall" THEN "begunAt" END, "begunAt", "lastAt"
FROM earlier WHERE "userId" IS NOT NULL;

INSERT INTO "InstallCount" AS c ("environmentId", "releaseId", "day", "os", "system", "device", "opened", "tapped", "manifest", "begun",
  "complete", "icons", "unseen")
SELECT e."environmentId", place."releaseId", e."day", e."os", e."system", e."device", count(*), count(*),
  count(*) FILTER (WHERE e."isInstall"), count(*), 0, 0, count(*)
FROM (SELECT *, '' AS "system", '' AS "device" FROM earlier) e CROSS JOIN LATERAL (VALUES (e."releaseId"), (NULL)) place("releaseId")
GROUP BY e."environmentId", place."releaseId",
  GROUPING SETS ((e."day", e."os", e."system", e."device"), (e."day"), (e."os", e."system"), (e."device"))
ON CONFLICT ("environmentId", "releaseId", "day", "os", "system", "device") DO UPDATE SET
  "opened" = c."opened" + EXCLUDED."opened", "tapped" = c."tapped" + EXCLUDED."tapped",
  "manifest" = c."manifest" + EXCLUDED."manifest", "begun" = c."begun" + EXCLUDED."begun", "unseen" = c."unseen" + EXCLUDED."unseen";
