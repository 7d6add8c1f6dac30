-- Statistics that do not grow with their tables: releases, installs and downloads of each day, and the size of all files.

-- CreateEnum
CREATE TYPE "ActivityKind" AS ENUM ('release', 'install', 'download');

-- CreateTable
CREATE TABLE "DailyActivity" (
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,
    "environmentId" UUID NOT NULL,
    "kind" "ActivityKind" NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "DailyActivity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StoredBytes" (
    "id" BIGSERIAL NOT NULL,
    "purpose" "FilePurpose" NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "StoredBytes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DailyActivity_environmentId_day_kind_idx" ON "DailyActivity"("environmentId", "day", "kind");

-- CreateIndex
CREATE INDEX "DailyActivity_day_idx" ON "DailyActivity" USING BRIN ("day");

-- CreateIndex
CREATE INDEX "StoredBytes_purpose_idx" ON "StoredBytes"("purpose");

-- CreateIndex
CREATE INDEX "ApiToken_validUntil_idx" ON "ApiToken"("validUntil");

-- The invitations that wait for their users.
CREATE INDEX "User_invited_idx" ON "User" ("createdAt")
  WHERE "provider" = 'email' AND "passwordHash" IS NULL AND "status" = 'active';

-- As in the tables of counts, each change is a row of its own, so that no transaction waits for another one that counts.

-- Replaces the rows of an environment's day by one with their sum if there are more than `kept`. Rows that another
-- transaction is replacing are left to it. A reader sees the rows or the one, and the same sum.
CREATE FUNCTION fold_daily_activity(of_environment uuid, of_day date, of_kind "ActivityKind", kept integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (
        SELECT 1 FROM "DailyActivity"
        WHERE "environmentId" = of_environment AND "day" = of_day AND "kind" = of_kind LIMIT kept + 1
      ) found) <= kept THEN
    RETURN;
  END IF;
  WITH locked AS (
    SELECT "id" FROM "DailyActivity"
    WHERE "environmentId" = of_environment AND "day" = of_day AND "kind" = of_kind FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM "DailyActivity" WHERE "id" = ANY (ARRAY(SELECT "id" FROM locked)) RETURNING "change"
  )
  INSERT INTO "DailyActivity" ("environmentId", "day", "kind", "change")
  SELECT of_environment, of_day, of_kind, sum("change") FROM removed HAVING count(*) > 0;
END
$$;

-- Leaves one row for each environment, day and kind of the days before `today`, in which nothing happens any more.
CREATE FUNCTION fold_past_activity(today date) RETURNS void
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
END
$$;

-- Counts rows that a statement inserted: on their day in UTC, for their environment and, under the nil UUID, for all.
-- What happened stays counted when a release is deleted.
CREATE FUNCTION keep_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  happened CONSTANT text := CASE TG_TABLE_NAME
    WHEN 'Release' THEN 'SELECT ("deployDate" AT TIME ZONE ''UTC'')::date, "environmentId", ''release''::"ActivityKind" FROM changed'
    ELSE 'SELECT (c."at" AT TIME ZONE ''UTC'')::date, r."environmentId", c."kind"::text::"ActivityKind"
          FROM changed c JOIN "Release" r ON r."id" = c."releaseId"'
  END;
  added record;
BEGIN
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

CREATE FUNCTION forget_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Release' THEN
    DELETE FROM "DailyActivity";
  ELSIF TG_TABLE_NAME = 'ReleaseDownload' THEN
    DELETE FROM "DailyActivity" WHERE "kind" <> 'release';
  ELSE
    DELETE FROM "DailyActivity" WHERE "environmentId" IN (SELECT "id" FROM changed);
  END IF;
  RETURN NULL;
END
$$;

-- The bytes of files in use, by purpose.
CREATE FUNCTION keep_stored_bytes() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  WITH added AS (
    INSERT INTO "StoredBytes" ("purpose", "change")
    SELECT "purpose", sum("size") FROM changed WHERE "state" = 'ready' GROUP BY "purpose" RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  IF added IS NOT NULL THEN PERFORM fold_counts('StoredBytes', '"purpose"', added); END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION change_stored_bytes() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  WITH moved AS (
    SELECT "purpose", "size" FROM changed WHERE "state" = 'ready'
    UNION ALL SELECT "purpose", -"size" FROM before WHERE "state" = 'ready'
  ), added AS (
    INSERT INTO "StoredBytes" ("purpose", "change")
    SELECT "purpose", sum("size") FROM moved GROUP BY "purpose" HAVING sum("size") <> 0 RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  IF added IS NOT NULL THEN PERFORM fold_counts('StoredBytes', '"purpose"', added); END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION drop_stored_bytes() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  WITH added AS (
    INSERT INTO "StoredBytes" ("purpose", "change")
    SELECT "purpose", -sum("size") FROM before WHERE "state" = 'ready' GROUP BY "purpose" RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  IF added IS NOT NULL THEN PERFORM fold_counts('StoredBytes', '"purpose"', added); END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "Release_activity" AFTER INSERT ON "Release" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_daily_activity();
CREATE TRIGGER "ReleaseDownload_activity" AFTER INSERT ON "ReleaseDownload" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_daily_activity();
CREATE TRIGGER "Release_activity_truncated" AFTER TRUNCATE ON "Release"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_daily_activity();
CREATE TRIGGER "ReleaseDownload_activity_truncated" AFTER TRUNCATE ON "ReleaseDownload"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_daily_activity();
CREATE TRIGGER "Environment_activity_deleted" AFTER DELETE ON "Environment" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION forget_daily_activity();

CREATE TRIGGER "File_bytes_inserted" AFTER INSERT ON "File" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_stored_bytes();
CREATE TRIGGER "File_bytes_updated" AFTER UPDATE ON "File" REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_stored_bytes();
CREATE TRIGGER "File_bytes_deleted" AFTER DELETE ON "File" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION drop_stored_bytes();
CREATE TRIGGER "File_bytes_truncated" AFTER TRUNCATE ON "File"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('StoredBytes');

-- The triggers keep writers away until this transaction ends, so that nothing is counted twice or not at all.
INSERT INTO "DailyActivity" ("day", "environmentId", "kind", "change")
  SELECT "day", coalesce("environmentId", '00000000-0000-0000-0000-000000000000'), "kind", count(*) FROM (
    SELECT ("deployDate" AT TIME ZONE 'UTC')::date AS "day", "environmentId", 'release'::"ActivityKind" AS "kind" FROM "Release"
    UNION ALL
    SELECT (d."at" AT TIME ZONE 'UTC')::date, r."environmentId", d."kind"::text::"ActivityKind"
    FROM "ReleaseDownload" d JOIN "Release" r ON r."id" = d."releaseId"
  ) happened
  GROUP BY GROUPING SETS (("day", "environmentId", "kind"), ("day", "kind"));
INSERT INTO "StoredBytes" ("purpose", "change")
  SELECT "purpose", sum("size") FROM "File" WHERE "state" = 'ready' GROUP BY "purpose";
