-- The notes of a release as they are shown. Existing rows are filled when they are listed.

-- AlterTable
ALTER TABLE "Release" ADD COLUMN "descriptionHtml" TEXT,
ADD COLUMN "descriptionSummary" TEXT,
ADD COLUMN "notesVersion" INTEGER;

-- An instance of the previous version changes the description alone.
CREATE FUNCTION forget_rendered_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."description" IS DISTINCT FROM OLD."description" AND NEW."descriptionHtml" IS NOT DISTINCT FROM OLD."descriptionHtml" THEN
    NEW."descriptionHtml" := NULL;
    NEW."descriptionSummary" := NULL;
    NEW."notesVersion" := NULL;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "Release_rendered_notes" BEFORE UPDATE OF "description" ON "Release"
  FOR EACH ROW EXECUTE FUNCTION forget_rendered_notes();
