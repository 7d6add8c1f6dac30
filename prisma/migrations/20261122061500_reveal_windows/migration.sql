-- CreateTable
CREATE TABLE "RevealWindow" (
    "tokenId" UUID NOT NULL,
    "table" VARCHAR(50) NOT NULL,
    "version" INTEGER NOT NULL,
    "environmentId" UUID NOT NULL,
    "recordedBy" UUID NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "reads" INTEGER NOT NULL DEFAULT 0,
    "addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "earlierReads" INTEGER NOT NULL DEFAULT 0,
    "earlierAddresses" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "RevealWindow_pkey" PRIMARY KEY ("tokenId","table","version")
);

-- CreateIndex
CREATE INDEX "RevealWindow_startedAt_idx" ON "RevealWindow"("startedAt");
