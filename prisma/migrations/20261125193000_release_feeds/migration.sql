-- CreateTable
CREATE TABLE "ReleaseFeed" (
    "userId" UUID NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastReadAt" TIMESTAMPTZ(3),

    CONSTRAINT "ReleaseFeed_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE UNIQUE INDEX "ReleaseFeed_secretHash_key" ON "ReleaseFeed"("secretHash");

-- AddForeignKey
ALTER TABLE "ReleaseFeed" ADD CONSTRAINT "ReleaseFeed_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
