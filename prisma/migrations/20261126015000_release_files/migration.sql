-- Symbols and further files of releases. The older version does not write the new columns.
-- CreateEnum
CREATE TYPE "ReleaseFileKind" AS ENUM ('dsym', 'mapping', 'other');

-- AlterEnum
ALTER TYPE "FilePurpose" ADD VALUE 'attachment';

-- AlterTable
ALTER TABLE "InstallerFacts" ADD COLUMN     "binaries" JSONB;

-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "filesSize" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "ReleaseFile" (
    "id" UUID NOT NULL,
    "releaseId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "kind" "ReleaseFileKind" NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "size" BIGINT NOT NULL,
    "facts" JSONB NOT NULL,
    "createdByUser" UUID,
    "createdByToken" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReleaseFile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BinnedFile" (
    "releaseId" UUID NOT NULL,
    "fileId" UUID NOT NULL,

    CONSTRAINT "BinnedFile_pkey" PRIMARY KEY ("releaseId","fileId")
);

-- CreateIndex
CREATE INDEX "ReleaseFile_releaseId_createdAt_id_idx" ON "ReleaseFile"("releaseId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ReleaseFile_fileId_idx" ON "ReleaseFile"("fileId");

-- CreateIndex
CREATE INDEX "BinnedFile_fileId_idx" ON "BinnedFile"("fileId");

-- AddForeignKey
ALTER TABLE "ReleaseFile" ADD CONSTRAINT "ReleaseFile_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseFile" ADD CONSTRAINT "ReleaseFile_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseFile" ADD CONSTRAINT "ReleaseFile_createdByUser_fkey" FOREIGN KEY ("createdByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseFile" ADD CONSTRAINT "ReleaseFile_createdByToken_fkey" FOREIGN KEY ("createdByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedFile" ADD CONSTRAINT "BinnedFile_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "BinnedRelease"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedFile" ADD CONSTRAINT "BinnedFile_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Bytes of the further files of a release. A release from the bin has its number already.
CREATE FUNCTION add_release_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('slipway.restoring', true) = 'on' THEN
    RETURN NULL;
  END IF;
  UPDATE "Release" r SET "filesSize" = r."filesSize" + added."bytes"
  FROM (SELECT "releaseId", sum("size") AS "bytes" FROM changed GROUP BY 1) added WHERE r."id" = added."releaseId";
  RETURN NULL;
END
$$;

CREATE FUNCTION remove_release_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Release" r SET "filesSize" = r."filesSize" - removed."bytes"
  FROM (SELECT "releaseId", sum("size") AS "bytes" FROM changed GROUP BY 1) removed WHERE r."id" = removed."releaseId";
  RETURN NULL;
END
$$;

CREATE TRIGGER "ReleaseFile_inserted" AFTER INSERT ON "ReleaseFile" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_release_files();
CREATE TRIGGER "ReleaseFile_deleted" AFTER DELETE ON "ReleaseFile" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_release_files();

-- As before, with the further files of the release: they stay in the store.
CREATE OR REPLACE FUNCTION bin_release(release uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- No row that refers to it is inserted until the end of the transaction.
  PERFORM 1 FROM "Release" WHERE "id" = release FOR UPDATE;
  DELETE FROM "RetentionNotice" WHERE "releaseId" = release;
  INSERT INTO "BinnedFile" ("releaseId", "fileId")
    SELECT DISTINCT f."releaseId", f."fileId" FROM "ReleaseFile" f WHERE f."releaseId" = release;
  INSERT INTO "BinnedRow" ("releaseId", "table", "depth", "columns", "row")
    SELECT release, 'Release', 0, '{}', to_jsonb(r) FROM "Release" r WHERE r."id" = release;
  PERFORM bin_referring_rows(release, '"Release"'::regclass, format('"id" = %L', release), 0);
  DELETE FROM "Release" WHERE "id" = release;
END
$$;

-- As before, with further files.
CREATE OR REPLACE FUNCTION refuse_removal_from_bin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "fileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "iconFileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "universalFileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedFile" WHERE "fileId" = NEW."id") THEN
    RAISE EXCEPTION 'the file % is of a release in the bin', NEW."id" USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END
$$;

-- As before, with further files: they are counted with the installer.
CREATE OR REPLACE FUNCTION keep_storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH added AS (
      INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
      SELECT "environmentId", %1$s, %2$scount(*), %2$ssum(%3$s) FROM changed GROUP BY 1, 2 RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN '' ELSE '-' END,
    CASE TG_TABLE_NAME WHEN 'Release' THEN '"size" + "universalSize" + "filesSize"' ELSE '"size"' END)
    INTO added;
  IF added IS NOT NULL THEN PERFORM fold_storage_counts(added); END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION move_storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  WITH added AS (
    INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
    VALUES (OLD."environmentId", coalesce(OLD."installer"->>'kind', 'other'), -1,
        -(OLD."size" + OLD."universalSize" + OLD."filesSize")),
      (NEW."environmentId", coalesce(NEW."installer"->>'kind', 'other'), 1,
        NEW."size" + NEW."universalSize" + NEW."filesSize") RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  PERFORM fold_storage_counts(added);
  RETURN NULL;
END
$$;

CREATE TRIGGER "Release_storage_files" AFTER UPDATE OF "filesSize" ON "Release" FOR EACH ROW
  WHEN (OLD."filesSize" <> NEW."filesSize" AND (OLD."environmentId", OLD."size", OLD."universalSize", OLD."installer"->>'kind')
    IS NOT DISTINCT FROM (NEW."environmentId", NEW."size", NEW."universalSize", NEW."installer"->>'kind'))
  EXECUTE FUNCTION move_storage_count();
