-- What the Prisma schema cannot say: uniqueness without regard to case, checks, and the audit chain.

CREATE UNIQUE INDEX "User_email_key" ON "User" (lower("email"));
CREATE UNIQUE INDEX "Role_name_key" ON "Role" (lower("name"));
CREATE UNIQUE INDEX "Platform_name_key" ON "Platform" (lower("name"));
CREATE UNIQUE INDEX "App_identifier_key" ON "App" (lower("identifier"));
CREATE UNIQUE INDEX "Environment_appId_name_key" ON "Environment" ("appId", lower("name"));
CREATE UNIQUE INDEX "RolePermissionTarget_key" ON "RolePermissionTarget" ("permissionId", "appId", "environmentId") NULLS NOT DISTINCT;

ALTER TABLE "AppConfig" ADD CONSTRAINT "AppConfig_single" CHECK ("id" = 1);
ALTER TABLE "File" ADD CONSTRAINT "File_ready_is_whole" CHECK ("state" <> 'ready' OR "sha256" IS NOT NULL);
ALTER TABLE "File" ADD CONSTRAINT "File_size" CHECK ("size" >= 0);
ALTER TABLE "File" ADD CONSTRAINT "File_sha256" CHECK ("sha256" ~ '^[0-9a-f]{64}$');
ALTER TABLE "RolePermission" ADD CONSTRAINT "RolePermission_scopes" CHECK (cardinality("scopes") > 0);
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_identifiers" CHECK (cardinality("identifiers") > 0);

-- The chain. Records are numbered and hashed here and nowhere else, one at a time: the lock is held until the
-- writing transaction ends, so that the order of the numbers is the order of the chain.
CREATE FUNCTION audit_record_hash(r "AuditRecord") RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(
    r."previousHash", r."id", r."userId", r."tokenId", r."table", r."recordId", r."action",
    (extract(epoch FROM r."eventDate") * 1000)::bigint, r."changes", r."ip", r."requestId"
  )::text, 'UTF8')), 'hex')
$$;

CREATE FUNCTION audit_record_chain() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  last "AuditRecord";
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('AuditRecord'));
  SELECT * INTO last FROM "AuditRecord" ORDER BY "id" DESC LIMIT 1;
  NEW."id" := coalesce(last."id", 0) + 1;
  NEW."previousHash" := coalesce(last."hash", repeat('0', 64));
  NEW."hash" := audit_record_hash(NEW);
  RETURN NEW;
END
$$;

CREATE FUNCTION audit_record_refuse() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "AuditRecord_chain" BEFORE INSERT ON "AuditRecord" FOR EACH ROW EXECUTE FUNCTION audit_record_chain();
CREATE TRIGGER "AuditRecord_append_only" BEFORE UPDATE OR DELETE ON "AuditRecord" FOR EACH ROW EXECUTE FUNCTION audit_record_refuse();
CREATE TRIGGER "AuditRecord_no_truncate" BEFORE TRUNCATE ON "AuditRecord" FOR EACH STATEMENT EXECUTE FUNCTION audit_record_refuse();

-- What a new installation starts with.
INSERT INTO "Role" ("id", "name") VALUES ('019a0000-0000-7000-8000-000000000001', 'SUPER_ADMIN');
INSERT INTO "Platform" ("id", "name", "kind") VALUES
  ('019a0000-0000-7000-8000-000000000011', 'iOS', 'ios'),
  ('019a0000-0000-7000-8000-000000000012', 'Android', 'android');
INSERT INTO "AppConfig" ("id", "name", "description") VALUES (1, 'Slipway', '');

-- Counters of the rate limits (rate-limiter-flexible); unlogged: losing them in a crash lets a few calls more through.
CREATE UNLOGGED TABLE "RateLimit" (
  "key" varchar(255) PRIMARY KEY,
  "points" integer NOT NULL DEFAULT 0,
  "expire" bigint
);
