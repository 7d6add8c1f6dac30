-- What is known of the backups of this deployment, in one row.
CREATE TABLE "BackupState" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "deploymentId" UUID NOT NULL DEFAULT gen_random_uuid(),
    "succeededAt" TIMESTAMPTZ(3),
    "backupId" VARCHAR(40),
    "objects" BIGINT NOT NULL DEFAULT 0,
    "objectBytes" BIGINT NOT NULL DEFAULT 0,
    "lostFiles" INTEGER NOT NULL DEFAULT 0,
    "failedAt" TIMESTAMPTZ(3),
    "failure" VARCHAR(500),

    CONSTRAINT "BackupState_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "BackupState_single" CHECK ("id" = 1)
);

INSERT INTO "BackupState" DEFAULT VALUES;
