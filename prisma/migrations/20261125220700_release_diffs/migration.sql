-- CreateTable
CREATE TABLE "ReleaseDiff" (
    "fromId" UUID NOT NULL,
    "toId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "diff" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReleaseDiff_pkey" PRIMARY KEY ("fromId","toId")
);

-- CreateIndex
CREATE INDEX "ReleaseDiff_toId_idx" ON "ReleaseDiff"("toId");

-- AddForeignKey
ALTER TABLE "ReleaseDiff" ADD CONSTRAINT "ReleaseDiff_fromId_fkey" FOREIGN KEY ("fromId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReleaseDiff" ADD CONSTRAINT "ReleaseDiff_toId_fkey" FOREIGN KEY ("toId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
