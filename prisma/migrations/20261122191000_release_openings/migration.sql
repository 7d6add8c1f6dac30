-- CreateEnum
CREATE TYPE "DeviceKind" AS ENUM ('ios', 'ipados', 'android', 'desktop');

-- CreateTable
CREATE TABLE "ReleaseOpening" (
    "releaseId" UUID NOT NULL,
    "device" "DeviceKind" NOT NULL,
    "osVersion" VARCHAR(15),
    "firstOpenedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastOpenedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReleaseOpening_pkey" PRIMARY KEY ("releaseId","device")
);

-- AddForeignKey
ALTER TABLE "ReleaseOpening" ADD CONSTRAINT "ReleaseOpening_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
