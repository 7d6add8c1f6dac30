-- CreateTable
CREATE TABLE "Bisect" (
    "id" UUID NOT NULL,
    "environmentId" UUID NOT NULL,
    "platformId" UUID NOT NULL,
    "userId" UUID,
    "tokenId" UUID,
    "releaseIds" UUID[],
    "answers" JSONB NOT NULL,
    "remaining" INTEGER NOT NULL,
    "stepsLeft" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Bisect_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Bisect_userId_updatedAt_id_idx" ON "Bisect"("userId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "Bisect_userId_createdAt_id_idx" ON "Bisect"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Bisect_tokenId_updatedAt_id_idx" ON "Bisect"("tokenId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "Bisect_tokenId_createdAt_id_idx" ON "Bisect"("tokenId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Bisect_environmentId_idx" ON "Bisect"("environmentId");

-- CreateIndex
CREATE INDEX "Bisect_platformId_idx" ON "Bisect"("platformId");

-- AddForeignKey
ALTER TABLE "Bisect" ADD CONSTRAINT "Bisect_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Bisect" ADD CONSTRAINT "Bisect_platformId_fkey" FOREIGN KEY ("platformId") REFERENCES "Platform"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Bisect" ADD CONSTRAINT "Bisect_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Bisect" ADD CONSTRAINT "Bisect_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;
