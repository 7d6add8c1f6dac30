-- The table and action of a record beside its mentions, so that the search of the audit log for a place or API token reads an index also
-- with a filter by them.
-- Contract: a table with the same columns and two more takes the place of `AuditMention`. The database writes it by a trigger, and the
-- previous version only reads it.

-- Writers wait until this transaction ends, and find the new trigger then.
LOCK TABLE "AuditRecord" IN SHARE ROW EXCLUSIVE MODE;

-- Copying the rows takes less time than changing them, and leaves no room empty.
CREATE TABLE "MentionOfKind" (
    "recordId" BIGINT NOT NULL,
    "subjectId" UUID NOT NULL,
    "eventDate" TIMESTAMPTZ(3) NOT NULL,
    "table" VARCHAR(50) NOT NULL,
    "action" VARCHAR(50) NOT NULL
);

INSERT INTO "MentionOfKind" ("recordId", "subjectId", "eventDate", "table", "action")
  SELECT m."recordId", m."subjectId", m."eventDate", r."table", r."action"
  FROM "AuditMention" m JOIN "AuditRecord" r ON r."id" = m."recordId";

DROP TABLE "AuditMention";
ALTER TABLE "MentionOfKind" RENAME TO "AuditMention";
ALTER TABLE "AuditMention" ADD CONSTRAINT "AuditMention_pkey" PRIMARY KEY ("recordId","subjectId");

-- CreateIndex
CREATE INDEX "AuditMention_subjectId_eventDate_recordId_idx" ON "AuditMention"("subjectId", "eventDate" DESC, "recordId" DESC);

-- CreateIndex
CREATE INDEX "AuditMention_kind_idx" ON "AuditMention"("subjectId", "table", "action", "eventDate" DESC, "recordId" DESC);

ANALYZE "AuditMention";

-- The names and places of the records that a statement added, the places with the kind of the record. See 20261125190500_audit_names.
CREATE OR REPLACE FUNCTION audit_record_names() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "AuditName" ("subjectId", "name", "recordId")
  SELECT named."subjectId", named."name", min(named."id")
  FROM (
    SELECT subject."id" AS "subjectId", left(subject."name", 500) AS "name", added."id"
    FROM added
      CROSS JOIN LATERAL (SELECT added."changes" #> '{@names,1}' AS "of") names
      CROSS JOIN LATERAL (VALUES
        (coalesce(added."userId", added."tokenId"), concat(names."of" ->> 'actor', ' (' || (names."of" ->> 'actorEmail') || ')')),
        (audit_subject(added."recordId"), names."of" ->> 'record'),
        ((names."of" ->> 'appId')::uuid, names."of" ->> 'app'),
        ((names."of" ->> 'environmentId')::uuid, names."of" ->> 'environment')
      ) subject ("id", "name")
    WHERE names."of" IS NOT NULL AND subject."id" IS NOT NULL AND subject."name" <> ''
  ) named
  GROUP BY named."subjectId", named."name"
  ON CONFLICT ("subjectId", "name") DO NOTHING;

  INSERT INTO "AuditMention" ("recordId", "subjectId", "eventDate", "table", "action")
  SELECT DISTINCT added."id", subject."id", added."eventDate", added."table", added."action"
  FROM added
    CROSS JOIN LATERAL (SELECT added."changes" #> '{@names,1}' AS "of") names
    CROSS JOIN LATERAL (VALUES
      (added."tokenId"), ((names."of" ->> 'appId')::uuid), ((names."of" ->> 'environmentId')::uuid)
    ) subject ("id")
  WHERE subject."id" IS NOT NULL
  ON CONFLICT ("recordId", "subjectId") DO NOTHING;
  RETURN NULL;
END
$$;
