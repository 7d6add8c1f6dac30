-- The steps of installations: of each visitor of a release, and counted.

-- AlterTable
ALTER TABLE "OneTimeToken" ADD COLUMN "visitor" VARCHAR(50);

-- CreateTable
CREATE TABLE "InstallVisit" (
    "releaseId" UUID NOT NULL,
    "visitorId" UUID NOT NULL,
    "userId" UUID,
    "environmentId" UUID NOT NULL,
    "day" DATE,
    "os" "DeviceKind" NOT NULL DEFAULT 'desktop',
    "osVersion" VARCHAR(15),
    "model" VARCHAR(100),
    "isExact" BOOLEAN NOT NULL DEFAULT false,
    "codes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "fileId" UUID,
    "fileSize" BIGINT,
    "ranges" JSONB NOT NULL DEFAULT '[]',
    "fromStore" BOOLEAN NOT NULL DEFAULT false,
    "openedAt" TIMESTAMPTZ(3),
    "tappedAt" TIMESTAMPTZ(3),
    "manifestAt" TIMESTAMPTZ(3),
    "begunAt" TIMESTAMPTZ(3),
    "completeAt" TIMESTAMPTZ(3),
    "iconsAt" TIMESTAMPTZ(3),
    "lastAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "InstallVisit_pkey" PRIMARY KEY ("releaseId","visitorId")
);

-- CreateTable
CREATE TABLE "InstallCount" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "releaseId" UUID,
    "day" DATE NOT NULL,
    "os" "DeviceKind" NOT NULL,
    "system" VARCHAR(3) NOT NULL,
    "device" VARCHAR(100) NOT NULL,
    "opened" BIGINT NOT NULL,
    "tapped" BIGINT NOT NULL,
    "manifest" BIGINT NOT NULL,
    "begun" BIGINT NOT NULL,
    "complete" BIGINT NOT NULL,
    "icons" BIGINT NOT NULL,
    "unseen" BIGINT NOT NULL,

    CONSTRAINT "InstallCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstallStop" (
    "id" BIGSERIAL NOT NULL,
    "environmentId" UUID NOT NULL,
    "releaseId" UUID,
    "day" DATE NOT NULL,
    "step" VARCHAR(20) NOT NULL,
    "codes" TEXT[] NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "InstallStop_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "InstallVisit_userId_idx" ON "InstallVisit"("userId");

-- CreateIndex
CREATE INDEX "InstallVisit_lastAt_idx" ON "InstallVisit"("lastAt");

-- CreateIndex
CREATE INDEX "InstallCount_releaseId_day_idx" ON "InstallCount"("releaseId", "day");

-- CreateIndex
CREATE INDEX "InstallStop_releaseId_day_idx" ON "InstallStop"("releaseId", "day");

-- The people of a release or an environment, without the visitors of whom nothing is known.
CREATE INDEX "InstallVisit_releaseId_people_idx" ON "InstallVisit"("releaseId", "lastAt", "visitorId") WHERE "userId" IS NOT NULL;
CREATE INDEX "InstallVisit_environmentId_people_idx" ON "InstallVisit"("environmentId", "lastAt", "releaseId", "visitorId")
  WHERE "userId" IS NOT NULL;

-- The counts of an environment have no release.
CREATE UNIQUE INDEX "InstallCount_key" ON "InstallCount"("environmentId", "releaseId", "day", "os", "system", "device") NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "InstallStop_key" ON "InstallStop"("environmentId", "releaseId", "day", "step", "codes") NULLS NOT DISTINCT;

-- AddForeignKey
ALTER TABLE "InstallVisit" ADD CONSTRAINT "InstallVisit_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallVisit" ADD CONSTRAINT "InstallVisit_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallCount" ADD CONSTRAINT "InstallCount_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallCount" ADD CONSTRAINT "InstallCount_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallStop" ADD CONSTRAINT "InstallStop_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallStop" ADD CONSTRAINT "InstallStop_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
