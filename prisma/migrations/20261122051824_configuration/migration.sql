-- Variables, certificates and the versions of an environment's configuration.

-- CreateEnum
CREATE TYPE "ConfigurationAction" AS ENUM ('create', 'update', 'delete');

-- AlterTable
ALTER TABLE "Environment" ADD COLUMN     "configurationVersion" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "configurationVersion" INTEGER;

-- CreateTable
CREATE TABLE "DevVariable" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "value" TEXT NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'active',
    "version" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedByUser" UUID,
    "updatedByToken" UUID,

    CONSTRAINT "DevVariable_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SecureVariable" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "value" BYTEA NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'active',
    "version" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedByUser" UUID,
    "updatedByToken" UUID,

    CONSTRAINT "SecureVariable_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SecureCertificate" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "fileName" VARCHAR(255) NOT NULL,
    "format" VARCHAR(10) NOT NULL,
    "sha256" CHAR(64) NOT NULL,
    "value" BYTEA NOT NULL,
    "password" BYTEA,
    "expirationDate" TIMESTAMPTZ(3),
    "subject" VARCHAR(2000),
    "issuer" VARCHAR(2000),
    "serialNumber" VARCHAR(200),
    "keyAlgorithm" VARCHAR(100),
    "hasPrivateKey" BOOLEAN,
    "chainLength" INTEGER,
    "status" "Status" NOT NULL DEFAULT 'active',
    "version" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedByUser" UUID,
    "updatedByToken" UUID,

    CONSTRAINT "SecureCertificate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConfigurationVersion" (
    "environmentId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "userId" UUID,
    "tokenId" UUID,
    "changeCount" INTEGER NOT NULL,
    "restoredFrom" INTEGER,

    CONSTRAINT "ConfigurationVersion_pkey" PRIMARY KEY ("environmentId","number")
);

-- CreateTable
CREATE TABLE "ConfigurationChange" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "kind" VARCHAR(20) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "action" "ConfigurationAction" NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "status" "Status",
    "value" TEXT,
    "secretId" UUID,
    "details" JSONB,

    CONSTRAINT "ConfigurationChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConfigurationSecret" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "kind" VARCHAR(20) NOT NULL,
    "key" VARCHAR(128) NOT NULL,
    "value" BYTEA NOT NULL,
    "password" BYTEA,

    CONSTRAINT "ConfigurationSecret_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DevVariable_environmentId_name_id_idx" ON "DevVariable"("environmentId", "name", "id");

-- CreateIndex
CREATE INDEX "DevVariable_environmentId_updatedAt_id_idx" ON "DevVariable"("environmentId", "updatedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "DevVariable_environmentId_key_key" ON "DevVariable"("environmentId", "key");

-- CreateIndex
CREATE INDEX "SecureVariable_environmentId_name_id_idx" ON "SecureVariable"("environmentId", "name", "id");

-- CreateIndex
CREATE INDEX "SecureVariable_environmentId_updatedAt_id_idx" ON "SecureVariable"("environmentId", "updatedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SecureVariable_environmentId_key_key" ON "SecureVariable"("environmentId", "key");

-- CreateIndex
CREATE INDEX "SecureCertificate_environmentId_name_id_idx" ON "SecureCertificate"("environmentId", "name", "id");

-- CreateIndex
CREATE INDEX "SecureCertificate_environmentId_updatedAt_id_idx" ON "SecureCertificate"("environmentId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "SecureCertificate_environmentId_expirationDate_id_idx" ON "SecureCertificate"("environmentId", "expirationDate", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SecureCertificate_environmentId_key_key" ON "SecureCertificate"("environmentId", "key");

-- CreateIndex
CREATE INDEX "ConfigurationChange_environmentId_kind_key_version_idx" ON "ConfigurationChange"("environmentId", "kind", "key", "version" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "ConfigurationChange_environmentId_version_kind_key_key" ON "ConfigurationChange"("environmentId", "version", "kind", "key");

-- CreateIndex
CREATE INDEX "ConfigurationSecret_environmentId_idx" ON "ConfigurationSecret"("environmentId");

-- CreateIndex
CREATE UNIQUE INDEX "ConfigurationSecret_id_environmentId_kind_key_key" ON "ConfigurationSecret"("id", "environmentId", "kind", "key");

-- AddForeignKey
ALTER TABLE "DevVariable" ADD CONSTRAINT "DevVariable_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DevVariable" ADD CONSTRAINT "DevVariable_updatedByUser_fkey" FOREIGN KEY ("updatedByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DevVariable" ADD CONSTRAINT "DevVariable_updatedByToken_fkey" FOREIGN KEY ("updatedByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureVariable" ADD CONSTRAINT "SecureVariable_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureVariable" ADD CONSTRAINT "SecureVariable_updatedByUser_fkey" FOREIGN KEY ("updatedByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureVariable" ADD CONSTRAINT "SecureVariable_updatedByToken_fkey" FOREIGN KEY ("updatedByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureCertificate" ADD CONSTRAINT "SecureCertificate_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureCertificate" ADD CONSTRAINT "SecureCertificate_updatedByUser_fkey" FOREIGN KEY ("updatedByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SecureCertificate" ADD CONSTRAINT "SecureCertificate_updatedByToken_fkey" FOREIGN KEY ("updatedByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationVersion" ADD CONSTRAINT "ConfigurationVersion_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationVersion" ADD CONSTRAINT "ConfigurationVersion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationVersion" ADD CONSTRAINT "ConfigurationVersion_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationChange" ADD CONSTRAINT "ConfigurationChange_environmentId_version_fkey" FOREIGN KEY ("environmentId", "version") REFERENCES "ConfigurationVersion"("environmentId", "number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationChange" ADD CONSTRAINT "ConfigurationChange_secretId_environmentId_kind_key_fkey" FOREIGN KEY ("secretId", "environmentId", "kind", "key") REFERENCES "ConfigurationSecret"("id", "environmentId", "kind", "key") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConfigurationSecret" ADD CONSTRAINT "ConfigurationSecret_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the Prisma schema cannot say.

-- Sealing adds 97 bytes to a value: see lib/kernel/crypto/sealed.ts.
ALTER TABLE "DevVariable"
  ADD CONSTRAINT "DevVariable_name" CHECK ("name" <> ''),
  ADD CONSTRAINT "DevVariable_key_form" CHECK (("key" COLLATE "C") ~ '^[A-Za-z_][A-Za-z0-9_.-]*$'),
  ADD CONSTRAINT "DevVariable_value_size" CHECK (octet_length("value") <= 65536),
  ADD CONSTRAINT "DevVariable_version" CHECK ("version" >= 1);
ALTER TABLE "SecureVariable"
  ADD CONSTRAINT "SecureVariable_name" CHECK ("name" <> ''),
  ADD CONSTRAINT "SecureVariable_key_form" CHECK (("key" COLLATE "C") ~ '^[A-Za-z_][A-Za-z0-9_.-]*$'),
  ADD CONSTRAINT "SecureVariable_value_size" CHECK (octet_length("value") BETWEEN 97 AND 65633),
  ADD CONSTRAINT "SecureVariable_version" CHECK ("version" >= 1);
ALTER TABLE "SecureCertificate"
  ADD CONSTRAINT "SecureCertificate_name" CHECK ("name" <> ''),
  ADD CONSTRAINT "SecureCertificate_key_form" CHECK (("key" COLLATE "C") ~ '^[A-Za-z_][A-Za-z0-9_.-]*$'),
  ADD CONSTRAINT "SecureCertificate_sha256" CHECK ("sha256" ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "SecureCertificate_value_size" CHECK (octet_length("value") BETWEEN 98 AND 1048673),
  ADD CONSTRAINT "SecureCertificate_version" CHECK ("version" >= 1);
ALTER TABLE "ConfigurationVersion"
  ADD CONSTRAINT "ConfigurationVersion_number" CHECK ("number" >= 1),
  ADD CONSTRAINT "ConfigurationVersion_changeCount" CHECK ("changeCount" >= 1),
  ADD CONSTRAINT "ConfigurationVersion_restoredFrom" CHECK ("restoredFrom" BETWEEN 1 AND "number" - 1);
ALTER TABLE "ConfigurationChange"
  ADD CONSTRAINT "ConfigurationChange_kind" CHECK ("kind" IN ('dev-variable', 'secure-variable', 'secure-certificate')),
  ADD CONSTRAINT "ConfigurationChange_key_form" CHECK (("key" COLLATE "C") ~ '^[A-Za-z_][A-Za-z0-9_.-]*$'),
  ADD CONSTRAINT "ConfigurationChange_status" CHECK (("status" IS NULL) = ("action" = 'delete')),
  ADD CONSTRAINT "ConfigurationChange_value" CHECK (("value" IS NOT NULL) = ("action" <> 'delete' AND "kind" = 'dev-variable')),
  ADD CONSTRAINT "ConfigurationChange_secretId" CHECK (("secretId" IS NOT NULL) = ("action" <> 'delete' AND "kind" <> 'dev-variable')),
  ADD CONSTRAINT "ConfigurationChange_details" CHECK (("details" IS NOT NULL) = ("action" <> 'delete' AND "kind" = 'secure-certificate'));
ALTER TABLE "Release" ADD CONSTRAINT "Release_configurationVersion" CHECK ("configurationVersion" >= 1) NOT VALID;

-- The number of a version is given here and nowhere else. The row of the environment is locked until the writing
-- transaction ends, so that versions are committed in the order of their numbers and a rolled back one leaves no gap.
CREATE FUNCTION configuration_version_number() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Environment" SET "configurationVersion" = "configurationVersion" + 1
    WHERE "id" = NEW."environmentId" RETURNING "configurationVersion" INTO NEW."number";
  RETURN NEW;
END
$$;

CREATE FUNCTION configuration_change_refuse() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of a configuration is not rewritten' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "ConfigurationVersion_number" BEFORE INSERT ON "ConfigurationVersion"
  FOR EACH ROW EXECUTE FUNCTION configuration_version_number();
CREATE TRIGGER "ConfigurationChange_no_update" BEFORE UPDATE ON "ConfigurationChange"
  FOR EACH ROW EXECUTE FUNCTION configuration_change_refuse();
