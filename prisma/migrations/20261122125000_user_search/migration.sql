-- What a search for users looks through: one text instead of four, in lower case. ILIKE converts each text in each search.
ALTER TABLE "User" ADD COLUMN "searchText" TEXT NOT NULL GENERATED ALWAYS AS
  (lower("firstNames" || E'\n' || "lastNames" || E'\n' || "email" || E'\n' || coalesce("team", ''))) STORED;

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
