-- AlterTable
ALTER TABLE "Release" ADD COLUMN     "warnings" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "EnvironmentRules" (
    "environmentId" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "EnvironmentRules_pkey" PRIMARY KEY ("environmentId")
);

-- AddForeignKey
ALTER TABLE "EnvironmentRules" ADD CONSTRAINT "EnvironmentRules_environmentId_fkey" FOREIGN KEY ("environmentId") REFERENCES "Environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
