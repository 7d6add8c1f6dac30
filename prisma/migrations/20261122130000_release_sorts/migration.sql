-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "size" BIGINT NOT NULL DEFAULT 0;

UPDATE "Release" r SET "size" = f."size" FROM "File" f WHERE f."id" = r."fileId";

-- The size of a release is that of its file, which is whole before the release is inserted.
CREATE FUNCTION release_size() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."size" := coalesce((SELECT "size" FROM "File" WHERE "id" = NEW."fileId"), 0);
  RETURN NEW;
END
$$;
CREATE TRIGGER "Release_size" BEFORE INSERT ON "Release" FOR EACH ROW EXECUTE FUNCTION release_size();

-- CreateIndex
CREATE INDEX "Release_environmentId_size_id_idx" ON "Release"("environmentId", "size", "id");

-- By version as `version_order` compares it.
CREATE INDEX "Release_version_order_idx" ON "Release" ("environmentId", version_order("version"), "id");
