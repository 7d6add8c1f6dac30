-- CreateEnum
CREATE TYPE "DistributionState" AS ENUM ('pending', 'done');

-- CreateEnum
CREATE TYPE "UntoldReason" AS ENUM ('silent', 'off', 'pending', 'bounced', 'no-access');

-- AlterTable
ALTER TABLE "Tester" ADD COLUMN     "askAfter" TIMESTAMPTZ(3),
ADD COLUMN     "askedAt" TIMESTAMPTZ(3),
ADD COLUMN     "secret" BYTEA,
ADD COLUMN     "secretHash" BYTEA;

-- CreateTable
CREATE TABLE "ReleaseTesterGroup" (
    "releaseId" UUID NOT NULL,
    "groupId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReleaseTesterGroup_pkey" PRIMARY KEY ("releaseId","groupId")
);

-- CreateTable
CREATE TABLE "ReleaseDistribution" (
    "id" UUID NOT NULL,
    "releaseId" UUID NOT NULL,
    "groupIds" UUID[],
    "notify" BOOLEAN NOT NULL,
    "state" "DistributionState" NOT NULL DEFAULT 'pending',
    "total" INTEGER,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "recipients" INTEGER NOT NULL DEFAULT 0,
    "cursor" UUID,
    "createdByUser" UUID,
    "createdByToken" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ReleaseDistribution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReleaseRecipient" (
    "releaseId" UUID NOT NULL,
    "testerId" UUID NOT NULL,
    "untold" "UntoldReason",
    "mailDue" BOOLEAN NOT NULL,
    "toldAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),
    "installedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReleaseRecipient_pkey" PRIMARY KEY ("releaseId","testerId")
);

-- CreateTable
CREATE TABLE "TesterMail" (
    "testerId" UUID NOT NULL,
    "appId" UUID NOT NULL,
    "dueAt" TIMESTAMPTZ(3),
    "lastAt" TIMESTAMPTZ(3),
    "claimedUntil" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TesterMail_pkey" PRIMARY KEY ("testerId","appId")
);

-- CreateIndex
CREATE INDEX "ReleaseTesterGroup_groupId_createdAt_idx" ON "ReleaseTesterGroup"("groupId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ReleaseDistribution_releaseId_createdAt_idx" ON "ReleaseDistribution"("releaseId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ReleaseDistribution_state_createdAt_idx" ON "ReleaseDistribution"("state", "createdAt");

-- CreateIndex
CREATE INDEX "ReleaseRecipient_releaseId_createdAt_testerId_idx" ON "ReleaseRecipient"("releaseId", "createdAt", "testerId");

-- CreateIndex
CREATE INDEX "ReleaseRecipient_testerId_mailDue_idx" ON "ReleaseRecipient"("testerId", "mailDue");

-- CreateIndex
CREATE INDEX "TesterMail_dueAt_idx" ON "TesterMail"("dueAt");

-- CreateIndex
CREATE INDEX "TesterMail_appId_idx" ON "TesterMail"("appId");

-- CreateIndex
-- Contract: the older version writes no secrets of testers.
CREATE UNIQUE INDEX "Tester_secretHash_key" ON "Tester"("secretHash");

-- AddForeignKey
ALTER TABLE "ReleaseTesterGroup" ADD CONSTRAINT "ReleaseTesterGroup_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseTesterGroup" ADD CONSTRAINT "ReleaseTesterGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "TesterGroup"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseDistribution" ADD CONSTRAINT "ReleaseDistribution_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseDistribution" ADD CONSTRAINT "ReleaseDistribution_createdByUser_fkey" FOREIGN KEY ("createdByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseDistribution" ADD CONSTRAINT "ReleaseDistribution_createdByToken_fkey" FOREIGN KEY ("createdByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseRecipient" ADD CONSTRAINT "ReleaseRecipient_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseRecipient" ADD CONSTRAINT "ReleaseRecipient_testerId_fkey" FOREIGN KEY ("testerId") REFERENCES "Tester"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TesterMail" ADD CONSTRAINT "TesterMail_testerId_fkey" FOREIGN KEY ("testerId") REFERENCES "Tester"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TesterMail" ADD CONSTRAINT "TesterMail_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those who are still to be asked whether they agree.
CREATE INDEX "Tester_unasked_idx" ON "Tester" ("id")
  WHERE "userId" IS NULL AND "askedAt" IS NULL AND "confirmedAt" IS NULL AND "bouncedAt" IS NULL;
