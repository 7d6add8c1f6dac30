-- CreateEnum
CREATE TYPE "FeedbackState" AS ENUM ('open', 'done');

-- AlterEnum
ALTER TYPE "FilePurpose" ADD VALUE 'screenshot';

-- CreateTable
CREATE TABLE "Feedback" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "releaseId" UUID,
    "version" VARCHAR(100) NOT NULL,
    "buildNumber" VARCHAR(100) NOT NULL,
    "text" VARCHAR(5000) NOT NULL,
    "rating" SMALLINT,
    "state" "FeedbackState" NOT NULL DEFAULT 'open',
    "note" VARCHAR(2000),
    "device" "DeviceKind" NOT NULL,
    "osVersion" VARCHAR(50),
    "model" VARCHAR(100),
    "screenshotFileId" UUID,
    "createdByUser" UUID,
    "createdByToken" UUID,
    "shareLinkId" UUID,
    "mailed" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Feedback_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Feedback_environmentId_createdAt_id_idx" ON "Feedback"("environmentId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Feedback_releaseId_createdAt_id_idx" ON "Feedback"("releaseId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Feedback_screenshotFileId_idx" ON "Feedback"("screenshotFileId");

-- CreateIndex
CREATE INDEX "Feedback_shareLinkId_idx" ON "Feedback"("shareLinkId");

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_screenshotFileId_fkey" FOREIGN KEY ("screenshotFileId") REFERENCES "File"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_createdByUser_fkey" FOREIGN KEY ("createdByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_createdByToken_fkey" FOREIGN KEY ("createdByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_shareLinkId_fkey" FOREIGN KEY ("shareLinkId") REFERENCES "ShareLink"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "Feedback" ADD CONSTRAINT "Feedback_rating" CHECK ("rating" BETWEEN 1 AND 5);
