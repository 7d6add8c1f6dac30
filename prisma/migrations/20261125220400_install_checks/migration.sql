-- CreateTable
CREATE TABLE "InstallCheck" (
    "releaseId" UUID NOT NULL,
    "ranAt" TIMESTAMPTZ(3) NOT NULL,
    "findings" JSONB NOT NULL,

    CONSTRAINT "InstallCheck_pkey" PRIMARY KEY ("releaseId")
);

-- AddForeignKey
ALTER TABLE "InstallCheck" ADD CONSTRAINT "InstallCheck_releaseId_fkey" FOREIGN KEY ("releaseId") REFERENCES "Release"("id") ON DELETE CASCADE ON UPDATE CASCADE;
