-- CreateTable
CREATE TABLE "AppStoreKey" (
    "environmentId" UUID NOT NULL,
    "certificateId" UUID NOT NULL,
    "keyId" VARCHAR(20) NOT NULL,
    "issuerId" UUID NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AppStoreKey_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "AppleRegistration" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "state" VARCHAR(10) NOT NULL,
    "error" VARCHAR(30),
    "detail" VARCHAR(500),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AppleRegistration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AppleRegistrationDevice" (
    "registrationId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "result" VARCHAR(10),
    "detail" VARCHAR(500),

    CONSTRAINT "AppleRegistrationDevice_pkey" PRIMARY KEY ("registrationId","deviceId")
);

-- CreateIndex
CREATE UNIQUE INDEX "AppStoreKey_certificateId_key" ON "AppStoreKey"("certificateId");

-- CreateIndex
CREATE INDEX "AppStoreKey_updatedAt_environmentId_idx" ON "AppStoreKey"("updatedAt", "environmentId");

-- CreateIndex
CREATE INDEX "AppleRegistration_environmentId_createdAt_idx" ON "AppleRegistration"("environmentId", "createdAt");

-- CreateIndex
CREATE INDEX "AppleRegistration_state_nextAt_idx" ON "AppleRegistration"("state", "nextAt");

-- CreateIndex
CREATE INDEX "AppleRegistrationDevice_deviceId_idx" ON "AppleRegistrationDevice"("deviceId");

-- AddForeignKey
ALTER TABLE "AppStoreKey" ADD CONSTRAINT "AppStoreKey_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppStoreKey" ADD CONSTRAINT "AppStoreKey_certificateId_fkey" FOREIGN KEY ("certificateId") REFERENCES "SecureCertificate"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppleRegistration" ADD CONSTRAINT "AppleRegistration_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "AppStoreKey"("environmentId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppleRegistrationDevice" ADD CONSTRAINT "AppleRegistrationDevice_registrationId_fkey" FOREIGN KEY ("registrationId") REFERENCES "AppleRegistration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppleRegistrationDevice" ADD CONSTRAINT "AppleRegistrationDevice_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
