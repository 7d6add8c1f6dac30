-- Signing keys are rotated: of each use, one key is in service.
ALTER TABLE "ServerKey" ADD COLUMN "retiredAt" TIMESTAMPTZ(3);

DROP INDEX "ServerKey_use_key";
CREATE UNIQUE INDEX "ServerKey_use_key" ON "ServerKey"("use") WHERE "retiredAt" IS NULL;
