-- The mails about certificates that expire soon.

-- CreateTable
CREATE TABLE "CertificateExpiryNotice" (
    "certificateId" UUID NOT NULL,
    "expirationDate" TIMESTAMPTZ(3) NOT NULL,
    "step" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CertificateExpiryNotice_pkey" PRIMARY KEY ("certificateId","expirationDate","step")
);

-- CreateIndex
CREATE INDEX "SecureCertificate_expirationDate_idx" ON "SecureCertificate"("expirationDate");

-- AddForeignKey
ALTER TABLE "CertificateExpiryNotice" ADD CONSTRAINT "CertificateExpiryNotice_certificateId_fkey" FOREIGN KEY ("certificateId") REFERENCES "SecureCertificate"("id") ON DELETE CASCADE ON UPDATE CASCADE;
