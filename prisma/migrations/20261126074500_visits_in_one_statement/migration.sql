-- Visits are inserted with their steps instead of as empty rows that are updated, so that both are counted by day. An update that changes
-- nothing of what is counted, such as one that adds bytes of a package, ends at once.

CREATE OR REPLACE FUNCTION keep_visit_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  after_it "InstallVisit"[];
  before_it "InstallVisit"[];
  added record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- What happened before a release was deleted is not counted again.
    IF current_setting('slipway.restoring', true) = 'on' THEN
      RETURN NULL;
    END IF;
    SELECT array_agg(c) INTO after_it FROM changed c WHERE c."openedAt" IS NOT NULL OR c."begunAt" IS NOT NULL;
  ELSE
    -- Compared as sets: a plan that joins few rows is kept, and would be slow for many.
    IF NOT EXISTS (
      SELECT "releaseId", "visitorId", "day", "os", "osVersion", "openedAt" IS NULL, "begunAt" IS NULL, "manifestAt" IS NULL FROM changed
      EXCEPT
      SELECT "releaseId", "visitorId", "day", "os", "osVersion", "openedAt" IS NULL, "begunAt" IS NULL, "manifestAt" IS NULL FROM before
    ) THEN
      RETURN NULL;
    END IF;
    SELECT array_agg(c) INTO after_it FROM changed c;
    SELECT array_agg(b) INTO before_it FROM before b;
  END IF;
  IF after_it IS NULL THEN
    RETURN NULL;
  END IF;
  FOR added IN
    WITH moved AS MATERIALIZED (
      SELECT "releaseId", "environmentId", "day", "kind", sum("change") AS "change" FROM (
        SELECT "releaseId", "environmentId", "day", visit_kind("begunAt", "manifestAt") AS "kind", 1 AS "change" FROM unnest(after_it)
        UNION ALL SELECT "releaseId", "environmentId", "day", visit_kind("begunAt", "manifestAt"), -1 FROM unnest(before_it)
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
      SELECT "day", "environmentId", "os", visit_system("osVersion") AS "system", 1 AS "change" FROM unnest(after_it)
      WHERE "openedAt" IS NOT NULL AND "os" <> 'desktop'
      UNION ALL
      SELECT "day", "environmentId", "os", visit_system("osVersion"), -1 FROM unnest(before_it)
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

CREATE TRIGGER "InstallVisit_activity_inserted" AFTER INSERT ON "InstallVisit" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_visit_activity();
