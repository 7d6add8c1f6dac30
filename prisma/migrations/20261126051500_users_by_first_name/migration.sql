-- A search for a first name that many users share finds them in the index that orders first names. What remains to be looked up by
-- trigrams is where else the text of the search is: this is the searched text without the letters that the first names begin with,
-- but with these from the second on, because a search for letters finds them there too.
-- Its body is parsed here, since an index is built with another search path.
CREATE FUNCTION search_text_besides_first_name(first_names text, last_names text, email text, team text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT substr(named.word, 2) || E'\n' || CASE WHEN named.word = '' THEN named.rest
    ELSE regexp_replace(named.rest, '(^|[^a-z])' || named.word || '(?![a-z])', '\1', 'g') END
  FROM (
    SELECT first.word, substr(first.names, length(first.word) + 1) || E'\n'
      || search_text(concat_ws(E'\n', last_names, email, team)) AS rest
    FROM (SELECT search_text(first_names) AS names, substring(search_text(first_names) FROM '^[a-z]*') AS word) first
  ) named
);

-- Trigrams, if the server has them (see 20261121130000_flat_lists).
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "User_search_besides_first_name_idx" ON "User"
      USING GIN (search_text_besides_first_name("firstNames", "lastNames", "email", "team") %s)', ops);
  END IF;
END
$$;
