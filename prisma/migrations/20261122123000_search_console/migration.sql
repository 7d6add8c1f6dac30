-- A text for comparisons that ignore case and accents, as `normalizeText` of lib/kernel.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(value) = char_length(value) THEN lower(value)
    ELSE lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g'))
  END
$$;

-- CreateIndex
CREATE INDEX "Release_environmentId_buildNumber_deployDate_id_idx" ON "Release"("environmentId", "buildNumber", "deployDate" DESC, "id" DESC);

-- Without pg_trgm, a search reads all users.
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE INDEX "User_console_search_idx" ON "User"
    USING GIN (search_text("firstNames" || '' '' || "lastNames" || '' '' || "email") %s)', ops);
END
$$;
