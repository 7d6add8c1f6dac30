-- When the console's name, description and logo were changed last, so that two administrators do not overwrite each other.
ALTER TABLE "AppConfig" ADD COLUMN "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
