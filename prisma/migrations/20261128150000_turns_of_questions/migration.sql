-- On whose behalf people without an account are asked, so that callers take turns; not known of those who were added before.
ALTER TABLE "Tester" ADD COLUMN "askedBy" UUID;

-- Those who are still to be asked, by caller. It replaces the index of the same name without callers.
DROP INDEX "Tester_unasked_idx";
CREATE INDEX "Tester_unasked_idx" ON "Tester"((coalesce("askedBy", '00000000-0000-0000-0000-000000000000'::uuid)), "id")
  WHERE "userId" IS NULL AND "askedAt" IS NULL AND "confirmedAt" IS NULL AND "bouncedAt" IS NULL;

-- The mails of an application in the order in which they are due. It replaces the index of the application alone.
CREATE INDEX "TesterMail_appId_dueAt_idx" ON "TesterMail"("appId", "dueAt");
DROP INDEX "TesterMail_appId_idx";
