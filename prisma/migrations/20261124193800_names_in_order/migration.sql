-- The order of names: without case and accents, numbers as numbers (ICU). Names that are equal in it are ordered by their bytes,
-- so two names are equal only if they are the same. A server without ICU orders them by their bytes.
-- Contract: types, lengths and equality stay. PostgreSQL refuses a statement with a name that the previous version prepared
-- before, once per connection (0A000); the pool then replaces the connection.
DO $$
BEGIN
  CREATE COLLATION "names" (provider = icu, locale = 'und-u-kn-true-ks-level1');
EXCEPTION WHEN feature_not_supported THEN
  RAISE WARNING 'PostgreSQL was built without ICU (%): names are ordered by their bytes', SQLERRM;
  CREATE COLLATION "names" (provider = libc, locale = 'C');
END
$$;

-- Whether a name is taken is decided as before, with the lower-case letters of the database.
DROP INDEX "Role_name_key";
DROP INDEX "Platform_name_key";
DROP INDEX "Environment_appId_name_key";
ALTER TABLE "Role" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names";
ALTER TABLE "Platform" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names";
ALTER TABLE "Environment" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names";
CREATE UNIQUE INDEX "Role_name_key" ON "Role" (lower("name" COLLATE "default"));
CREATE UNIQUE INDEX "Platform_name_key" ON "Platform" (lower("name" COLLATE "default"));
CREATE UNIQUE INDEX "Environment_appId_name_key" ON "Environment" ("appId", lower("name" COLLATE "default"));

-- The indexes of these columns are built again with the collation.
ALTER TABLE "App" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names";
ALTER TABLE "ApiToken" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names";
ALTER TABLE "DevVariable" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names",
  ALTER COLUMN "key" TYPE VARCHAR(128) COLLATE "names";
ALTER TABLE "SecureVariable" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names",
  ALTER COLUMN "key" TYPE VARCHAR(128) COLLATE "names";
ALTER TABLE "SecureCertificate" ALTER COLUMN "name" TYPE VARCHAR(100) COLLATE "names",
  ALTER COLUMN "key" TYPE VARCHAR(128) COLLATE "names";

-- A generated column reads the names of users, so their collation stays and the queries name this one.
DROP INDEX "User_firstNames_id_idx";
DROP INDEX "User_lastNames_id_idx";
DROP INDEX "User_email_id_idx";
CREATE INDEX "User_firstNames_id_idx" ON "User"("firstNames" COLLATE "names", "id");
CREATE INDEX "User_lastNames_id_idx" ON "User"("lastNames" COLLATE "names", "id");
CREATE INDEX "User_email_id_idx" ON "User"("email" COLLATE "names", "id");
