-- Contract: the older version does not write the new columns.
-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "universalDetail" VARCHAR(500),
ADD COLUMN     "universalError" VARCHAR(30),
ADD COLUMN     "universalFileId" UUID,
ADD COLUMN     "universalKey" VARCHAR(12),
ADD COLUMN     "universalSha256" CHAR(64),
ADD COLUMN     "universalSize" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "universalState" VARCHAR(12);

-- AlterTable
ALTER TABLE "BinnedRelease" ADD COLUMN     "universalFileId" UUID;

-- CreateTable
CREATE TABLE "AppSigningKey" (
    "appId" UUID NOT NULL,
    "keystore" BYTEA NOT NULL,
    "password" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AppSigningKey_pkey" PRIMARY KEY ("appId")
);

-- CreateTable
CREATE TABLE "EnvironmentSigningKey" (
    "environmentId" UUID NOT NULL,
    "certificateId" UUID NOT NULL,
    "alias" VARCHAR(200) NOT NULL,
    "keyPassword" BYTEA,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EnvironmentSigningKey_pkey" PRIMARY KEY ("environmentId")
);

-- CreateIndex
CREATE UNIQUE INDEX "EnvironmentSigningKey_certificateId_key" ON "EnvironmentSigningKey"("certificateId");

-- CreateIndex
CREATE INDEX "Release_universalFileId_idx" ON "Release"("universalFileId");

-- CreateIndex
CREATE INDEX "BinnedRelease_universalFileId_idx" ON "BinnedRelease"("universalFileId");

-- AddForeignKey
ALTER TABLE "Release" ADD CONSTRAINT "Release_universalFileId_fkey" FOREIGN KEY ("universalFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BinnedRelease" ADD CONSTRAINT "BinnedRelease_universalFileId_fkey" FOREIGN KEY ("universalFileId") REFERENCES "File"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppSigningKey" ADD CONSTRAINT "AppSigningKey_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EnvironmentSigningKey" ADD CONSTRAINT "EnvironmentSigningKey_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EnvironmentSigningKey" ADD CONSTRAINT "EnvironmentSigningKey_certificateId_fkey" FOREIGN KEY ("certificateId") REFERENCES "SecureCertificate"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As before, with the APK that was made from a bundle.
CREATE OR REPLACE FUNCTION refuse_removal_from_bin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "fileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "iconFileId" = NEW."id")
    OR EXISTS (SELECT 1 FROM "BinnedRelease" WHERE "universalFileId" = NEW."id") THEN
    RAISE EXCEPTION 'the file % is of a release in the bin', NEW."id" USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END
$$;

-- As before, with the APK that was made from a bundle: it is counted with the bundle.
CREATE OR REPLACE FUNCTION keep_storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH added AS (
      INSERT INTO "StorageCount" ("environmentId", "kind", "releases", "bytes")
      SELECT "environmentId", %1$s, %2$scount(*), %2$ssum(%3$s) FROM changed GROUP BY 1, 2 RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN '' ELSE '-' END,
    CASE TG_TABLE_NAME WHEN 'Release' THEN '"size" + "universalSize"' ELSE '"size"' END)
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
    VALUES (OLD."environmentId", coalesce(OLD."installer"->>'kind', 'other'), -1, -(OLD."size" + OLD."universalSize")),
      (NEW."environmentId", coalesce(NEW."installer"->>'kind', 'other'), 1, NEW."size" + NEW."universalSize") RETURNING "id"
  ) SELECT array_agg("id") FROM added INTO added;
  PERFORM fold_storage_counts(added);
  RETURN NULL;
END
$$;

CREATE TRIGGER "Release_storage_universal" AFTER UPDATE OF "universalSize" ON "Release" FOR EACH ROW
  WHEN (OLD."universalSize" <> NEW."universalSize" AND (OLD."environmentId", OLD."size", OLD."installer"->>'kind')
    IS NOT DISTINCT FROM (NEW."environmentId", NEW."size", NEW."installer"->>'kind'))
  EXECUTE FUNCTION move_storage_count();
