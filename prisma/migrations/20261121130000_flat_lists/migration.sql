-- Lists whose cost does not grow with their tables: totals that the database keeps, and an index for each filter.

-- CreateTable
CREATE TABLE "ReleaseCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "ReleaseCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserCount" (
    "id" BIGSERIAL NOT NULL,
    "status" "Status" NOT NULL,
    "roleId" UUID NOT NULL,
    "provider" "Provider" NOT NULL,
    "change" BIGINT NOT NULL,

    CONSTRAINT "UserCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ReleaseCount_environmentId_platformId_idx" ON "ReleaseCount"("environmentId", "platformId");

-- CreateIndex
CREATE INDEX "UserCount_status_roleId_provider_idx" ON "UserCount"("status", "roleId", "provider");

-- CreateIndex
CREATE INDEX "User_firstNames_id_idx" ON "User"("firstNames", "id");

-- CreateIndex
CREATE INDEX "User_lastNames_id_idx" ON "User"("lastNames", "id");

-- CreateIndex
CREATE INDEX "User_email_id_idx" ON "User"("email", "id");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Release_environmentId_platformId_deployDate_id_idx" ON "Release"("environmentId", "platformId", "deployDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Release_environmentId_version_deployDate_id_idx" ON "Release"("environmentId", "version", "deployDate" DESC, "id" DESC);

-- Search without regard to case, anywhere in a text, by trigrams. Where the server does not offer pg_trgm or this role
-- may not install it, everything works without it, searching reads more.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'pg_trgm could not be installed (%): searching in long lists will be slower', SQLERRM;
END
$$;

DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE INDEX "Release_search_idx" ON "Release" USING GIN
    ("version" %1$s, "buildNumber" %1$s, "displayName" %1$s, "description" %1$s, "fileName" %1$s)', ops);
  EXECUTE format('CREATE INDEX "User_search_idx" ON "User" USING GIN
    ("firstNames" %1$s, "lastNames" %1$s, "email" %1$s, "team" %1$s)', ops);
END
$$;

-- How many rows there are for each combination of some columns is kept as changes whose sum is the number. Each change
-- is a row of its own, so that nobody ever waits for anybody else who inserts or deletes.

-- Replaces the rows of a combination by one with their sum, once there are many or nothing is left; rows that another
-- transaction is replacing at this moment are left to it. Whoever reads sees the rows or the one, and the same sum.
CREATE FUNCTION fold_counts(changes text, columns text, added bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($sql$
    WITH long AS (
      SELECT %2$s FROM %1$I WHERE (%2$s) IN (SELECT %2$s FROM %1$I WHERE "id" = ANY($1))
      GROUP BY %2$s HAVING count(*) > 50 OR sum("change") = 0
    ), locked AS (
      SELECT "id" FROM %1$I WHERE (%2$s) IN (SELECT %2$s FROM long) FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM %1$I WHERE "id" IN (SELECT "id" FROM locked) RETURNING %2$s, "change"
    )
    INSERT INTO %1$I (%2$s, "change") SELECT %2$s, sum("change") FROM removed GROUP BY %2$s HAVING sum("change") <> 0
  $sql$, changes, columns) USING added;
END
$$;

-- Counts what a statement inserted or deleted. Arguments: the table of the changes, and the columns.
CREATE FUNCTION keep_count() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH added AS (
      INSERT INTO %1$I (%2$s, "change") SELECT %2$s, %3$scount(*) FROM changed GROUP BY %2$s RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], TG_ARGV[1], CASE TG_OP WHEN 'INSERT' THEN '' ELSE '-' END)
    INTO added;
  PERFORM fold_counts(TG_ARGV[0], TG_ARGV[1], added);
  RETURN NULL;
END
$$;

-- Counts a row that went from one combination to another; the arguments are the same.
CREATE FUNCTION move_count() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  added bigint[];
BEGIN
  EXECUTE format('WITH added AS (
      INSERT INTO %1$I (%2$s, "change") SELECT %3$s, -1 UNION ALL SELECT %4$s, 1 RETURNING "id"
    ) SELECT array_agg("id") FROM added', TG_ARGV[0], TG_ARGV[1],
    regexp_replace(TG_ARGV[1], '("\w+")', '($1).\1', 'g'), regexp_replace(TG_ARGV[1], '("\w+")', '($2).\1', 'g'))
    INTO added USING OLD, NEW;
  PERFORM fold_counts(TG_ARGV[0], TG_ARGV[1], added);
  RETURN NULL;
END
$$;

CREATE FUNCTION forget_counts() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DELETE FROM %I', TG_ARGV[0]);
  RETURN NULL;
END
$$;

CREATE TRIGGER "Release_count_inserted" AFTER INSERT ON "Release" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('ReleaseCount', '"environmentId", "platformId"');
CREATE TRIGGER "Release_count_deleted" AFTER DELETE ON "Release" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('ReleaseCount', '"environmentId", "platformId"');
CREATE TRIGGER "Release_count_moved" AFTER UPDATE OF "environmentId", "platformId" ON "Release" FOR EACH ROW
  WHEN ((OLD."environmentId", OLD."platformId") IS DISTINCT FROM (NEW."environmentId", NEW."platformId"))
  EXECUTE FUNCTION move_count('ReleaseCount', '"environmentId", "platformId"');
CREATE TRIGGER "Release_count_truncated" AFTER TRUNCATE ON "Release"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('ReleaseCount');

CREATE TRIGGER "User_count_inserted" AFTER INSERT ON "User" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('UserCount', '"status", "roleId", "provider"');
CREATE TRIGGER "User_count_deleted" AFTER DELETE ON "User" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_count('UserCount', '"status", "roleId", "provider"');
CREATE TRIGGER "User_count_moved" AFTER UPDATE OF "status", "roleId", "provider" ON "User" FOR EACH ROW
  WHEN ((OLD."status", OLD."roleId", OLD."provider") IS DISTINCT FROM (NEW."status", NEW."roleId", NEW."provider"))
  EXECUTE FUNCTION move_count('UserCount', '"status", "roleId", "provider"');
CREATE TRIGGER "User_count_truncated" AFTER TRUNCATE ON "User"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_counts('UserCount');

-- The triggers keep writers away until this transaction ends, so that nothing is counted twice or not at all.
INSERT INTO "ReleaseCount" ("environmentId", "platformId", "change")
  SELECT "environmentId", "platformId", count(*) FROM "Release" GROUP BY "environmentId", "platformId";
INSERT INTO "UserCount" ("status", "roleId", "provider", "change")
  SELECT "status", "roleId", "provider", count(*) FROM "User" GROUP BY "status", "roleId", "provider";
