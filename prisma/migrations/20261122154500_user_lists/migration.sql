-- One text for the list of users and for the search of the console, without case and accents.
-- Contract: no version misses "searchText", which is added again in the same transaction.
ALTER TABLE "User" DROP COLUMN "searchText";
ALTER TABLE "User" ADD COLUMN "searchText" TEXT NOT NULL GENERATED ALWAYS AS
  (search_text("firstNames" || E'\n' || "lastNames" || E'\n' || "email" || E'\n' || coalesce("team", ''))) STORED;

DROP INDEX IF EXISTS "User_console_search_idx";
DROP INDEX IF EXISTS "User_search_idx";

-- Trigrams, if the server has them (see 20261121130000_flat_lists).
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "User_search_idx" ON "User" USING GIN ("searchText" %s)', ops);
  END IF;
END
$$;

-- DropIndex
DROP INDEX "User_roleId_idx";

-- CreateIndex
CREATE INDEX "User_roleId_id_idx" ON "User"("roleId", "id");

-- CreateIndex
CREATE INDEX "User_provider_id_idx" ON "User"("provider", "id");

-- CreateIndex
CREATE INDEX "User_status_id_idx" ON "User"("status", "id");

-- Users who never signed in are before all others.
CREATE INDEX "User_lastSignInAt_id_idx" ON "User"((coalesce("lastSignInAt", '-infinity'::timestamptz)), "id");
