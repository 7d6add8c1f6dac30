-- Trigrams for the searches of testers without an account and of feedback, if the server has them (see 20261121130000_flat_lists).
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "Tester_search_idx" ON "Tester" USING GIN ("email" %s)', ops);
    EXECUTE format('CREATE INDEX "Feedback_search_idx" ON "Feedback" USING GIN ("text" %1$s, "note" %1$s, "version" %1$s)', ops);
  END IF;
END
$$;
