-- Reading the audit log, whatever its length: an index for each filter in the order of the list, and kept totals.

-- CreateTable
CREATE TABLE "AuditCount" (
    "userId" UUID NOT NULL,
    "table" VARCHAR(50) NOT NULL,
    "action" VARCHAR(50) NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "AuditCount_pkey" PRIMARY KEY ("userId","table","action")
);

-- Nothing has ever read these two; those below take their place, so that a record costs one index more to write.
DROP INDEX "AuditRecord_table_id_idx";
DROP INDEX "AuditRecord_userId_id_idx";

-- CreateIndex
CREATE INDEX "AuditRecord_table_action_eventDate_id_idx" ON "AuditRecord"("table", "action", "eventDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditRecord_userId_table_action_eventDate_id_idx" ON "AuditRecord"("userId", "table", "action", "eventDate" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditRecord_recordId_eventDate_idx" ON "AuditRecord"("recordId", "eventDate" DESC);

-- How many records a statement added, by table and action: for each user, and for everybody under the nil UUID. Whoever
-- adds records holds the lock of the chain until the commit, so that nobody waits here who would not have waited there.
CREATE FUNCTION audit_record_count() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "AuditCount" AS kept ("userId", "table", "action", "count")
  SELECT who."id", added."table", added."action", count(*)
  FROM added CROSS JOIN LATERAL (VALUES ('00000000-0000-0000-0000-000000000000'::uuid), (added."userId")) who ("id")
  WHERE who."id" IS NOT NULL
  GROUP BY who."id", added."table", added."action"
  ON CONFLICT ("userId", "table", "action") DO UPDATE SET "count" = kept."count" + excluded."count";
  RETURN NULL;
END
$$;

CREATE TRIGGER "AuditRecord_count" AFTER INSERT ON "AuditRecord" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION audit_record_count();

-- The trigger keeps writers away until this transaction ends, so that nothing is counted twice or not at all.
INSERT INTO "AuditCount" ("userId", "table", "action", "count")
  SELECT who."id", r."table", r."action", count(*)
  FROM "AuditRecord" r CROSS JOIN LATERAL (VALUES ('00000000-0000-0000-0000-000000000000'::uuid), (r."userId")) who ("id")
  WHERE who."id" IS NOT NULL
  GROUP BY who."id", r."table", r."action";
