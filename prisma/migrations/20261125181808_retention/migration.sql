-- The bin, retention, and what the files of environments take. See docs/decisions.
-- CreateEnum
CREATE TYPE "BinReason" AS ENUM ('deleted', 'retention');

-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "keep" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "Retention" (
    "environmentId" UUID NOT NULL,
    "keepNewest" INTEGER,
    "keepDays" INTEGER,
    "keepWithShareLink" BOOLEAN NOT NULL DEFAULT true,
    "mayDeleteAll" BOOLEAN NOT NULL DEFAULT false,
    "dueReleases" BIGINT NOT NULL DEFAULT 0,
    "dueBytes" BIGINT NOT NULL DEFAULT 0,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Retention_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "RetentionNotice" (
    "releaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RetentionNotice_pkey" PRIMARY KEY ("releaseId")
);

-- CreateTable
CREATE TABLE "BinnedRelease" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "iconFileId" UUID,
    "version" VARCHAR(100) NOT NULL,
    "buildNumber" VARCHAR(100) NOT NULL,
    "displayName" VARCHAR(255) NOT NULL,
    "fileName" VARCHAR(255) NOT NULL,
    "size" BIGINT NOT NULL,
    "deployDate" TIMESTAMPTZ(3) NOT NULL,
    "reason" "BinReason" NOT NULL,
    "binnedByUser" UUID,
    "binnedByToken" UUID,
    "binnedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "BinnedRelease_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BinnedRow" (
    "id" BIGSERIAL NOT NULL,
    "releaseId" UUID NOT NULL,
    "table" VARCHAR(63) NOT NULL,
    "depth" INTEGER NOT NULL,
    "columns" TEXT[],
    "row" JSONB NOT NULL,

    CONSTRAINT "BinnedRow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StorageCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "kind" VARCHAR(10) NOT NULL,
    "releases" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "StorageCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "BinnedRelease_environmentId_binnedAt_id_idx" ON "BinnedRelease"("environmentId", "binnedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "BinnedRelease_environmentId_size_id_idx" ON "BinnedRelease"("environmentId", "size", "id");

-- CreateIndex
CREATE INDEX "BinnedRelease_expiresAt_id_idx" ON "BinnedRelease"("expiresAt", "id");

-- CreateIndex
CREATE INDEX "BinnedRelease_fileId_idx" ON "BinnedRelease"("fileId");

-- CreateIndex
CREATE INDEX "BinnedRelease_iconFileId_idx" ON "BinnedRelease"("iconFileId");

-- CreateIndex
CREATE INDEX "BinnedRow_releaseId_table_idx" ON "BinnedRow"("releaseId", "table");

-- CreateIndex
CREATE INDEX "StorageCount_environmentId_kind_idx" ON "StorageCount"("environmentId", "kind");

-- AddForeignKey
ALTER TABLE "Retention" ADD CONSTRAINT "Retention_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RetentionNotice" ADD CONSTRAINT "RetentionNotice_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_platformId_fkey" FOREIGN KEY ("platformId") REFERENCES "Platform"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_iconFileId_fkey" FOREIGN KEY ("iconFileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_binnedByUser_fkey" FOREIGN KEY ("binnedByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_binnedByToken_fkey" FOREIGN KEY ("binnedByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRow" ADD CONSTRAINT "BinnedRow_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "BinnedRelease"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rows of a release in the bin. Tables that refer to releases need nothing of their own: the references in the catalog say which
-- rows a deletion removes (ON DELETE CASCADE) or changes (ON DELETE SET NULL).

-- Copies the rows that refer to rows of `parent`, and those that refer to these, into the bin.
CREATE FUNCTION bin_referring_rows(release uuid, parent regclass, condition text, distance integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  reference record;
  referring text;
BEGIN
  FOR reference IN
    SELECT f.conrelid::regclass AS "child", c.relname::text AS "table", f.confdeltype = 'c' AS "cascades",
      array_agg(own.attname::text ORDER BY k.place) AS "columns",
      string_agg(quote_ident(own.attname), ', ' ORDER BY k.place) AS "from",
      string_agg(quote_ident(key.attname), ', ' ORDER BY k.place) AS "to"
    FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid
      CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k("own", "key", "place")
      JOIN pg_attribute own ON own.attrelid = f.conrelid AND own.attnum = k."own"
      JOIN pg_attribute key ON key.attrelid = f.confrelid AND key.attnum = k."key"
    WHERE f.confrelid = parent AND f.contype = 'f' AND f.confdeltype IN ('c', 'n') AND f.conrelid <> f.confrelid
    GROUP BY f.oid, f.conrelid, c.relname, f.confdeltype
    ORDER BY c.relname
  LOOP
    referring := format('(%s) IN (SELECT %s FROM %s WHERE %s)', reference."from", reference."to", parent, condition);
    IF reference."cascades" THEN
      EXECUTE format('INSERT INTO "BinnedRow" ("releaseId", "table", "depth", "columns", "row")
        SELECT $1, $2, $3, ''{}'', to_jsonb(child) FROM %s child WHERE %s', reference."child", referring)
        USING release, reference."table", distance + 1;
      PERFORM bin_referring_rows(release, reference."child", referring, distance + 1);
    ELSE
      -- The row stays; only what it refers to is kept of it.
      EXECUTE format('INSERT INTO "BinnedRow" ("releaseId", "table", "depth", "columns", "row")
        SELECT $1, $2, $3, $4, (SELECT jsonb_object_agg(f."key", f."value") FROM jsonb_each(to_jsonb(child)) f WHERE f."key" = ANY($5))
        FROM %s child WHERE %s', reference."child", referring)
        USING release, reference."table", distance + 1, reference."columns",
          reference."columns" || ARRAY(
            SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
            WHERE i.indrelid = reference."child" AND i.indisprimary);
    END IF;
  END LOOP;
END
$$;

-- Moves the rows of a release to the bin, which has a row for it already.
CREATE FUNCTION bin_release(release uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- No row that refers to it is inserted until the end of the transaction.
  PERFORM 1 FROM "Release" WHERE "id" = release FOR UPDATE;
  DELETE FROM "RetentionNotice" WHERE "releaseId" = release;
  INSERT INTO "BinnedRow" ("releaseId", "table", "depth", "columns", "row")
    SELECT release, 'Release', 0, '{}', to_jsonb(r) FROM "Release" r WHERE r."id" = release;
  PERFORM bin_referring_rows(release, '"Release"'::regclass, format('"id" = %L', release), 0);
  DELETE FROM "Release" WHERE "id" = release;
END
$$;

-- Inserts the rows of a release in the bin again, and lets the rows that referred to them refer to them again unless they refer to
-- something else by now. Of what they refer to, what was deleted in the meantime is treated as its deletion would have.
CREATE FUNCTION restore_binned_rows(release uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  kept record;
  inserted text;
  selected text;
  conditions text;
BEGIN
  -- What happened before the deletion is not counted again; a build keeps its ID.
  PERFORM set_config('slipway.restoring', 'on', true);
  FOR kept IN
    SELECT b."table", to_regclass(quote_ident(b."table")) AS "relation", (array_agg(b."row" ORDER BY b."id"))[1] AS "sample"
    FROM "BinnedRow" b WHERE b."releaseId" = release AND b."columns" = '{}'
    GROUP BY b."table" ORDER BY max(b."depth"), min(b."id")
  LOOP
    -- A later version of the console may have removed the table, a column, or added one with a default.
    CONTINUE WHEN kept."relation" IS NULL;
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
      string_agg(CASE WHEN n."table" IS NULL THEN format('r.%I', a.attname) ELSE
        format('CASE WHEN EXISTS (SELECT 1 FROM %1$s k WHERE k.%2$I = r.%3$I) THEN r.%3$I END', n."table", n."key", a.attname)
        END, ', ' ORDER BY a.attnum)
    INTO inserted, selected
    FROM pg_attribute a LEFT JOIN LATERAL (
      SELECT f.confrelid::regclass AS "table", key.attname::text AS "key" FROM pg_constraint f
      JOIN pg_attribute key ON key.attrelid = f.confrelid AND key.attnum = f.confkey[1]
      WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND f.confdeltype = 'n' AND f.conkey = ARRAY[a.attnum] LIMIT 1
    ) n ON true
    WHERE a.attrelid = kept."relation" AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND kept."sample" ? a.attname;
    SELECT coalesce(string_agg(format('(%s OR EXISTS (SELECT 1 FROM %s k WHERE %s))', f."unset", f."table", f."equal"), ' AND '), 'true')
    INTO conditions
    FROM (
      SELECT f.confrelid::regclass AS "table", string_agg(format('r.%I IS NULL', own.attname), ' OR ') AS "unset",
        string_agg(format('k.%I = r.%I', key.attname, own.attname), ' AND ') AS "equal"
      FROM pg_constraint f CROSS JOIN LATERAL unnest(f.conkey, f.confkey) AS k("own", "key")
        JOIN pg_attribute own ON own.attrelid = f.conrelid AND own.attnum = k."own"
        JOIN pg_attribute key ON key.attrelid = f.confrelid AND key.attnum = k."key"
      WHERE f.conrelid = kept."relation" AND f.contype = 'f' AND f.confdeltype = 'c'
      GROUP BY f.oid, f.confrelid
    ) f;
    EXECUTE format('INSERT INTO %1$s (%2$s) SELECT %3$s FROM "BinnedRow" b CROSS JOIN LATERAL jsonb_populate_record(NULL::%1$s, b."row") r
      WHERE b."releaseId" = $1 AND b."table" = $2 AND b."columns" = ''{}'' AND %4$s ORDER BY b."id" ON CONFLICT DO NOTHING',
      kept."relation", inserted, selected, conditions) USING release, kept."table";
  END LOOP;
  FOR kept IN
    SELECT DISTINCT b."table", b."columns", to_regclass(quote_ident(b."table")) AS "relation" FROM "BinnedRow" b
    WHERE b."releaseId" = release AND b."columns" <> '{}'
  LOOP
    CONTINUE WHEN kept."relation" IS NULL;
    EXECUTE format('UPDATE %1$s t SET %2$s FROM "BinnedRow" b CROSS JOIN LATERAL jsonb_populate_record(NULL::%1$s, b."row") r
      WHERE b."releaseId" = $1 AND b."table" = $2 AND b."columns" = $3 AND %3$s AND %4$s', kept."relation",
      (SELECT string_agg(format('%I = r.%1$I', c), ', ') FROM unnest(kept."columns") c),
      (SELECT string_agg(format('t.%I = r.%1$I', a.attname), ' AND ') FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
        WHERE i.indrelid = kept."relation" AND i.indisprimary),
      (SELECT string_agg(format('t.%I IS NULL', c), ' AND ') FROM unnest(kept."columns") c))
      USING release, kept."table", kept."columns";
  END LOOP;
  PERFORM set_config('slipway.restoring', '', true);
END
$$;

-- As before, except that a release from the bin keeps its build unless another build has its version by now.
CREATE OR REPLACE FUNCTION release_build() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF chosen IS NULL AND current_setting('slipway.restoring', true) = 'on' THEN
    RETURN NEW;
  END IF;
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

-- As before, except that what a release from the bin brings back is not counted again.
CREATE OR REPLACE FUNCTION keep_daily_activity() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  happened CONSTANT text := CASE TG_TABLE_NAME
    WHEN 'Release' THEN 'SELECT ("deployDate" AT TIME ZONE ''UTC'')::date, "environmentId", ''release''::"ActivityKind" FROM changed'
    ELSE 'SELECT (c."at" AT TIME ZONE ''UTC'')::date, r."environmentId", c."kind"::text::"ActivityKind"
          FROM changed c JOIN "Release" r ON r."id" = c."releaseId"'
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

-- A file of a release in the bin is not removed, also by the previous version of the console, which does not know the bin.
CREATE FUNCTION refuse_removal_from_bin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "fileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "iconFileId" = NEW."id") THEN
    RAISE EXCEPTION 'the file % is of a release in the bin', NEW."id" USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "File_in_bin" BEFORE UPDATE OF "state" ON "File" FOR EACH ROW
  WHEN (OLD."state" = 'ready' AND NEW."state" = 'deleting') EXECUTE FUNCTION refuse_removal_from_bin();

-- Replaces the rows of an environment and kind by one with their sum if there are more than 50, or none is left.
CREATE FUNCTION fold_storage_counts(added bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH long AS (
    SELECT "environmentId", "kind" FROM "StorageCount"
    WHERE ("environmentId", "kind") IN (SELECT "environmentId", "kind" FROM "StorageCount" WHERE "id" = ANY(added))
    GROUP BY "environmentId", "kind" HAVING count(*) > 50 OR sum("releases") = 0
  ), locked AS (
    SELECT "id" FROM "StorageCount" WHERE ("environmentId", "kind") IN (SELECT "environmentId", "kind" FROM long)
    FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM "StorageCount" WHERE "id" IN (SELECT "id" FROM locked)
    RETURNING "environmentId", "kind", "releases", "bytes"
  )
  INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
  SELECT "environmentId", "kind", sum("releases"), sum("bytes") FROM removed GROUP BY "environmentId", "kind"
  HAVING sum("releases") <> 0 OR sum("bytes") <> 0;
END
$$;

-- Counts what a statement inserted or deleted. Argument: the kind, as an expression.
CREATE FUNCTION keep_storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH added AS (
      INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
      SELECT "environmentId", %1$s, %2$scount(*), %2$ssum("size") FROM changed GROUP BY 1, 2 RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN '' ELSE '-' END)
    INTO added;
  IF added IS NOT NULL THEN PERFORM fold_storage_counts(added); END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION move_storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  WITH added AS (
    INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
    VALUES (OLD."environmentId", coalesce(OLD."installer"->>'kind', 'other'), -1, -OLD."size"),
      (NEW."environmentId", coalesce(NEW."installer"->>'kind', 'other'), 1, NEW."size") RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  PERFORM fold_storage_counts(added);
  RETURN NULL;
END
$$;

CREATE TRIGGER "Release_storage_inserted" AFTER INSERT ON "Release" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_storage_count('coalesce("installer"->>''kind'', ''other'')');
CREATE TRIGGER "Release_storage_deleted" AFTER DELETE ON "Release" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_storage_count('coalesce("installer"->>''kind'', ''other'')');
CREATE TRIGGER "Release_storage_moved" AFTER UPDATE OF "environmentId", "size", "fileId", "installer" ON "Release" FOR EACH ROW
  WHEN ((OLD."environmentId", OLD."size", OLD."installer"->>'kind') IS DISTINCT FROM (NEW."environmentId", NEW."size", NEW."installer"->>'kind'))
  EXECUTE FUNCTION move_storage_count();
CREATE TRIGGER "Release_storage_truncated" AFTER TRUNCATE ON "Release"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('StorageCount');
CREATE TRIGGER "BinnedRelease_storage_inserted" AFTER INSERT ON "BinnedRelease" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_storage_count('''bin''');
CREATE TRIGGER "BinnedRelease_storage_deleted" AFTER DELETE ON "BinnedRelease" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_storage_count('''bin''');

ALTER TABLE "Retention" ADD CONSTRAINT "Retention_limits" CHECK ("keepNewest" >= 1 AND "keepDays" >= 1);

-- The triggers keep writers away until this transaction ends, so that nothing is counted twice or not at all.
INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
  SELECT "environmentId", coalesce("installer"->>'kind', 'other'), count(*), sum("size") FROM "Release" GROUP BY 1, 2;
