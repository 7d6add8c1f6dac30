-- AlterTable
ALTER TABLE "User" ADD COLUMN "tourDismissedAt" TIMESTAMPTZ(3);
