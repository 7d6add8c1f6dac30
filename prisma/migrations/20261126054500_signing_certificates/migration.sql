-- Contract: the older version does not write the new column.
-- CreateEnum
CREATE TYPE "RevocationStatus" AS ENUM ('good', 'revoked', 'unknown');

-- CreateTable
CREATE TABLE "SigningCertificate" (
    "id" CHAR(64) NOT NULL,
    "chain" BYTEA[],
    "status" "RevocationStatus",
    "revokedAt" TIMESTAMPTZ(3),
    "answeredAt" TIMESTAMPTZ(3),
    "validUntil" TIMESTAMPTZ(3),
    "askAt" TIMESTAMPTZ(3) NOT NULL,
    "failure" VARCHAR(40),

    CONSTRAINT "SigningCertificate_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "InstallerFacts" ADD COLUMN     "signerId" CHAR(64);

-- CreateIndex
CREATE INDEX "SigningCertificate_askAt_idx" ON "SigningCertificate"("askAt");

-- CreateIndex
CREATE INDEX "InstallerFacts_signerId_idx" ON "InstallerFacts"("signerId");

-- AddForeignKey
ALTER TABLE "InstallerFacts" ADD CONSTRAINT "InstallerFacts_signerId_fkey" FOREIGN KEY ("signerId") REFERENCES "SigningCertificate"("id") ON DELETE SET NULL ON UPDATE CASCADE;
