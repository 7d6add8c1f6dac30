-- Lists of variables whose cost does not grow with their environment: totals that the database keeps, as of releases and
-- users, and a search by trigrams. An entry's history is found by its key, however long that of the environment is.

-- CreateTable
CREATE TABLE "DevVariableCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "status" "Status" NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "DevVariableCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DevVariableCount_environmentId_status_idx" ON "DevVariableCount"("environmentId", "status");

-- CreateIndex
CREATE INDEX "DevVariable_environmentId_status_idx" ON "DevVariable"("environmentId", "status");

-- CreateTable
CREATE TABLE "SecureVariableCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "status" "Status" NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "SecureVariableCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SecureVariableCount_environmentId_status_idx" ON "SecureVariableCount"("environmentId", "status");

-- CreateIndex
CREATE INDEX "SecureVariable_environmentId_status_idx" ON "SecureVariable"("environmentId", "status");

-- No other index has this order: the planner takes this one for the last change of an entry, although its statistics do not
-- tell how rarely an entry was changed.
DROP INDEX "ConfigurationChange_environmentId_kind_key_version_idx";
CREATE INDEX "ConfigurationChange_environmentId_kind_key_version_idx"
  ON "ConfigurationChange"("environmentId", "kind", "key", "version" DESC NULLS LAST);

-- Without pg_trgm, a search reads all variables of the environment.
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE INDEX "DevVariable_search_idx" ON "DevVariable" USING GIN ("name" %1$s, "key" %1$s)', ops);
  EXECUTE format('CREATE INDEX "SecureVariable_search_idx" ON "SecureVariable" USING GIN ("name" %1$s, "key" %1$s)', ops);
END
$$;

-- Counts the rows that an UPDATE moved from one combination to another, in one statement for all of them. The arguments are
-- those of keep_count.
CREATE FUNCTION keep_count_of_updates() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH moved AS (
      SELECT %2$s, -1 AS "change" FROM before UNION ALL SELECT %2$s, 1 FROM changed
    ), added AS (
      INSERT INTO %1$I (%2$s, "change") SELECT %2$s, sum("change") FROM moved GROUP BY %2$s HAVING sum("change") <> 0
      RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], TG_ARGV[1])
    INTO added;
  IF added IS NOT NULL THEN
    PERFORM fold_counts(TG_ARGV[0], TG_ARGV[1], added);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "DevVariable_count_inserted" AFTER INSERT ON "DevVariable" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('DevVariableCount', '"environmentId", "status"');
CREATE TRIGGER "DevVariable_count_deleted" AFTER DELETE ON "DevVariable" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('DevVariableCount', '"environmentId", "status"');
CREATE TRIGGER "DevVariable_count_updated" AFTER UPDATE ON "DevVariable" REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count_of_updates('DevVariableCount', '"environmentId", "status"');
CREATE TRIGGER "DevVariable_count_truncated" AFTER TRUNCATE ON "DevVariable"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('DevVariableCount');

CREATE TRIGGER "SecureVariable_count_inserted" AFTER INSERT ON "SecureVariable" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('SecureVariableCount', '"environmentId", "status"');
CREATE TRIGGER "SecureVariable_count_deleted" AFTER DELETE ON "SecureVariable" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('SecureVariableCount', '"environmentId", "status"');
CREATE TRIGGER "SecureVariable_count_updated" AFTER UPDATE ON "SecureVariable" REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count_of_updates('SecureVariableCount', '"environmentId", "status"');
CREATE TRIGGER "SecureVariable_count_truncated" AFTER TRUNCATE ON "SecureVariable"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('SecureVariableCount');

-- The triggers keep writers away until this transaction ends, so that nothing is counted twice or not at all.
INSERT INTO "DevVariableCount" ("environmentId", "status", "change")
  SELECT "environmentId", "status", count(*) FROM "DevVariable" GROUP BY "environmentId", "status";
INSERT INTO "SecureVariableCount" ("environmentId", "status", "change")
  SELECT "environmentId", "status", count(*) FROM "SecureVariable" GROUP BY "environmentId", "status";
