-- AlterTable
ALTER TABLE "Tester" ADD COLUMN     "push" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "PushSubscription" (
    "id" UUID NOT NULL,
    "testerId" UUID NOT NULL,
    "endpointHash" BYTEA NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "secret" BYTEA NOT NULL,
    "userAgent" VARCHAR(400),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PushSubscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PushMessage" (
    "subscriptionId" UUID NOT NULL,
    "releaseId" UUID NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "PushMessage_pkey" PRIMARY KEY ("subscriptionId","releaseId")
);

-- CreateIndex
CREATE UNIQUE INDEX "PushSubscription_endpointHash_key" ON "PushSubscription"("endpointHash");

-- CreateIndex
CREATE INDEX "PushSubscription_testerId_createdAt_idx" ON "PushSubscription"("testerId", "createdAt");

-- CreateIndex
CREATE INDEX "PushMessage_dueAt_idx" ON "PushMessage"("dueAt");

-- CreateIndex
CREATE INDEX "PushMessage_releaseId_idx" ON "PushMessage"("releaseId");

-- AddForeignKey
ALTER TABLE "PushSubscription" ADD CONSTRAINT "PushSubscription_testerId_fkey" FOREIGN KEY ("testerId") REFERENCES "Tester"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PushMessage" ADD CONSTRAINT "PushMessage_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "PushSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PushMessage" ADD CONSTRAINT "PushMessage_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
