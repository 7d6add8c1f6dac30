-- The names that audited people, objects and places have had, and the records of places and API tokens, for the search of the
-- audit log. Both derive from the records, which contain the names of their time under "@names" in "changes".

-- CreateTable
CREATE TABLE "AuditName" (
    "subjectId" UUID NOT NULL,
    "name" VARCHAR(500) NOT NULL,
    "recordId" BIGINT NOT NULL,
    "searchText" TEXT NOT NULL GENERATED ALWAYS AS (search_text("name")) STORED,

    CONSTRAINT "AuditName_pkey" PRIMARY KEY ("subjectId","name")
);

-- CreateTable
CREATE TABLE "AuditMention" (
    "recordId" BIGINT NOT NULL,
    "subjectId" UUID NOT NULL,
    "eventDate" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AuditMention_pkey" PRIMARY KEY ("recordId","subjectId")
);

-- The ID of a record's object as a UUID; null if it is something else, such as the name of a provider.
CREATE FUNCTION audit_subject(value text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN value::uuid END
$$;

-- The names and places of the records that a statement added. Whoever adds records holds the lock of the chain until the
-- commit, so nobody waits here who would not have waited there.
CREATE FUNCTION audit_record_names() RETURNS trigger
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

  INSERT INTO "AuditMention" ("recordId", "subjectId", "eventDate")
  SELECT DISTINCT added."id", subject."id", added."eventDate"
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

CREATE TRIGGER "AuditRecord_names" AFTER INSERT ON "AuditRecord" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION audit_record_names();

-- What is still known of the records before. The trigger keeps writers away until this transaction ends.

-- The objects that exist, with their names and places.
CREATE TEMPORARY TABLE known ON COMMIT DROP AS
  SELECT "id", "name"::text AS "name", "id" AS "appId", NULL::uuid AS "environmentId" FROM "App"
  UNION ALL SELECT "id", "name"::text, "appId", "id" FROM "Environment"
  UNION ALL SELECT r."id", p."name" || ' ' || r."version" || ' (' || r."buildNumber" || ')', e."appId", e."id"
    FROM "Release" r JOIN "Platform" p ON p."id" = r."platformId" JOIN "Environment" e ON e."id" = r."environmentId"
  UNION ALL SELECT r."id", p."name" || ' ' || r."version" || ' (' || r."buildNumber" || ')', e."appId", e."id"
    FROM "BinnedRelease" r JOIN "Platform" p ON p."id" = r."platformId" JOIN "Environment" e ON e."id" = r."environmentId"
  UNION ALL SELECT v."id", v."key"::text, e."appId", e."id"
    FROM "DevVariable" v JOIN "Environment" e ON e."id" = v."environmentId"
  UNION ALL SELECT v."id", v."key"::text, e."appId", e."id"
    FROM "SecureVariable" v JOIN "Environment" e ON e."id" = v."environmentId"
  UNION ALL SELECT c."id", c."key"::text, e."appId", e."id"
    FROM "SecureCertificate" c JOIN "Environment" e ON e."id" = c."environmentId"
  UNION ALL SELECT l."id", l."name"::text, e."appId", e."id"
    FROM "ShareLink" l JOIN "Environment" e ON e."id" = l."environmentId"
  UNION ALL SELECT "id", "name"::text, "appId", "environmentId" FROM "ApiToken"
  UNION ALL SELECT "id", "name"::text, "appId", NULL FROM "TesterGroup"
  UNION ALL SELECT "id", concat_ws(' ', nullif(trim("firstNames" || ' ' || "lastNames"), ''),
      CASE WHEN trim("firstNames" || ' ' || "lastNames") = '' THEN "email" ELSE '(' || "email" || ')' END), NULL, NULL
    FROM "User"
  UNION ALL SELECT "id", "name"::text, NULL, NULL FROM "Role"
  UNION ALL SELECT p."id", r."name"::text, NULL, NULL FROM "RolePermission" p JOIN "Role" r ON r."id" = p."roleId"
  UNION ALL SELECT "id", "name"::text, NULL, NULL FROM "Platform"
  UNION ALL SELECT "id", "name"::text, NULL, NULL FROM "Webhook";

-- Those that were deleted, as the records of their changes describe them. Secret fields are never among these.
CREATE TEMPORARY TABLE described ON COMMIT DROP AS
  SELECT DISTINCT ON (subject."id") subject."id", r."id" AS "recordId",
    CASE WHEN r."table" = 'Release' THEN nullif(concat(
        coalesce(r."changes" #>> '{version,0}', r."changes" #>> '{version,1}'),
        ' (' || coalesce(r."changes" #>> '{buildNumber,0}', r."changes" #>> '{buildNumber,1}') || ')'), '')
      WHEN r."table" IN ('DevVariable', 'SecureVariable', 'SecureCertificate')
        THEN coalesce(r."changes" #>> '{key,0}', r."changes" #>> '{key,1}')
      ELSE coalesce(r."changes" #>> '{name,0}', r."changes" #>> '{name,1}') END AS "name",
    audit_subject(coalesce(r."changes" #>> '{appId,0}', r."changes" #>> '{appId,1}')) AS "appId",
    audit_subject(coalesce(r."changes" #>> '{environmentId,0}', r."changes" #>> '{environmentId,1}')) AS "environmentId"
  FROM "AuditRecord" r CROSS JOIN LATERAL (SELECT audit_subject(r."recordId") AS "id") subject
  WHERE r."table" IN ('Release', 'DevVariable', 'SecureVariable', 'SecureCertificate', 'ShareLink', 'ApiToken', 'TesterGroup',
      'RolePermission', 'Role', 'Webhook')
    AND r."changes" ?| ARRAY['version', 'key', 'name'] AND subject."id" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM known k WHERE k."id" = subject."id")
  ORDER BY subject."id", r."action" = 'delete' DESC, r."id" DESC;

INSERT INTO "AuditName" ("subjectId", "name", "recordId")
  SELECT "id", left("name", 500), 0 FROM known WHERE "name" <> ''
  UNION ALL SELECT "id", left("name", 500), 0 FROM described WHERE "name" <> ''
  ON CONFLICT ("subjectId", "name") DO NOTHING;

INSERT INTO "AuditMention" ("recordId", "subjectId", "eventDate")
  SELECT DISTINCT r."id", subject."id", r."eventDate"
  FROM "AuditRecord" r
    JOIN (
      SELECT "id"::text AS "id", "appId", "environmentId" FROM known WHERE "appId" IS NOT NULL
      UNION ALL
      SELECT d."id"::text, coalesce(e."appId", d."appId"), d."environmentId"
      FROM described d LEFT JOIN "Environment" e ON e."id" = d."environmentId"
    ) place ON place."id" = r."recordId"
    CROSS JOIN LATERAL (VALUES (place."appId"), (place."environmentId")) subject ("id")
  WHERE subject."id" IS NOT NULL
  ON CONFLICT ("recordId", "subjectId") DO NOTHING;

INSERT INTO "AuditMention" ("recordId", "subjectId", "eventDate")
  SELECT "id", "tokenId", "eventDate" FROM "AuditRecord" WHERE "tokenId" IS NOT NULL
  ON CONFLICT ("recordId", "subjectId") DO NOTHING;

-- CreateIndex
CREATE INDEX "AuditMention_subjectId_eventDate_recordId_idx" ON "AuditMention"("subjectId", "eventDate" DESC, "recordId" DESC);

-- Trigrams, if the server has them (see 20261121130000_flat_lists).
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "AuditName_search_idx" ON "AuditName" USING GIN ("searchText" %s)', ops);
  END IF;
END
$$;
