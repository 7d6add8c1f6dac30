-- CreateTable
CREATE TABLE "ShareLink" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "releaseId" UUID,
    "followsLatest" BOOLEAN NOT NULL,
    "platformId" UUID,
    "name" VARCHAR(100) NOT NULL,
    "codeHash" BYTEA NOT NULL,
    "code" BYTEA,
    "passwordHash" VARCHAR(255),
    "expiresAt" TIMESTAMPTZ(3),
    "maxInstalls" INTEGER,
    "onlyPhones" BOOLEAN NOT NULL,
    "showNotes" BOOLEAN NOT NULL,
    "openCount" INTEGER NOT NULL DEFAULT 0,
    "installCount" INTEGER NOT NULL DEFAULT 0,
    "createdByUser" UUID,
    "createdByToken" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ShareLink_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ShareLink_codeHash_key" ON "ShareLink"("codeHash");

-- CreateIndex
CREATE INDEX "ShareLink_environmentId_createdAt_id_idx" ON "ShareLink"("environmentId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ShareLink_environmentId_name_id_idx" ON "ShareLink"("environmentId", "name", "id");

-- CreateIndex
CREATE INDEX "ShareLink_releaseId_idx" ON "ShareLink"("releaseId");

-- AddForeignKey
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_platformId_fkey" FOREIGN KEY ("platformId") REFERENCES "Platform"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_createdByUser_fkey" FOREIGN KEY ("createdByUser") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_createdByToken_fkey" FOREIGN KEY ("createdByToken") REFERENCES "ApiToken"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_latest_has_no_release" CHECK (NOT "followsLatest" OR "releaseId" IS NULL);
ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_counts" CHECK ("openCount" >= 0 AND "installCount" >= 0 AND "maxInstalls" > 0);
