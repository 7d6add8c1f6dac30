-- AlterTable
ALTER TABLE "User" ADD COLUMN     "expiryMail" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "ExpiryNotice" (
    "userId" UUID NOT NULL,
    "key" VARCHAR(120) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "step" INTEGER NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "ExpiryNotice_pkey" PRIMARY KEY ("userId","key","endsAt","step")
);

-- CreateIndex
CREATE INDEX "ExpiryNotice_endsAt_idx" ON "ExpiryNotice"("endsAt");

-- AddForeignKey
ALTER TABLE "ExpiryNotice" ADD CONSTRAINT "ExpiryNotice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Administrators were told of certificates before: they are not told of the same steps again.
INSERT INTO "ExpiryNotice" ("userId", "key", "endsAt", "step", "day")
SELECT u."id", 'certificate:' || n."certificateId", n."expirationDate", n."step", (n."at" AT TIME ZONE 'UTC')::date
FROM "CertificateExpiryNotice" n CROSS JOIN "User" u JOIN "Role" r ON r."id" = u."roleId" AND r."name" = 'SUPER_ADMIN';
