-- CreateTable
CREATE TABLE "InstallerFacts" (
    "fileId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "readAt" TIMESTAMPTZ(3) NOT NULL,
    "deviceHashes" BYTEA[],
    "isPending" BOOLEAN NOT NULL,
    "claims" JSONB,
    "failure" VARCHAR(100),

    CONSTRAINT "InstallerFacts_pkey" PRIMARY KEY ("fileId")
);

-- AddForeignKey
ALTER TABLE "InstallerFacts" ADD CONSTRAINT "InstallerFacts_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "File"("id") ON DELETE CASCADE ON UPDATE CASCADE;
