-- CreateTable
CREATE TABLE "AppCenterUpload" (
    "id" UUID NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "tokenId" UUID NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "uploadId" UUID,
    "fileName" VARCHAR(255),
    "fileId" UUID,
    "failure" VARCHAR(2000),
    "description" VARCHAR(5000),
    "version" VARCHAR(100),
    "buildNumber" VARCHAR(100),
    "releaseId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AppCenterUpload_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "AppCenterUpload_number_key" ON "AppCenterUpload"("number");

-- CreateIndex
CREATE INDEX "AppCenterUpload_tokenId_idx" ON "AppCenterUpload"("tokenId");

-- CreateIndex
CREATE INDEX "AppCenterUpload_releaseId_idx" ON "AppCenterUpload"("releaseId");

-- AddForeignKey
ALTER TABLE "AppCenterUpload" ADD CONSTRAINT "AppCenterUpload_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppCenterUpload" ADD CONSTRAINT "AppCenterUpload_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
