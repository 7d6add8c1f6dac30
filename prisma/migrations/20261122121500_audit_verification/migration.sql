-- What is known of the audit chain: signed checkpoints, and the runs that verify it.

-- CreateTable
CREATE TABLE "AuditCheckpoint" (
    "records" BIGINT NOT NULL,
    "checkpoint" JSONB NOT NULL,

    CONSTRAINT "AuditCheckpoint_pkey" PRIMARY KEY ("records")
);

-- CreateTable
CREATE TABLE "AuditVerification" (
    "kind" VARCHAR(10) NOT NULL,
    "runAt" TIMESTAMPTZ(3),
    "progressAt" TIMESTAMPTZ(3),
    "records" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT NOT NULL DEFAULT 0,
    "finishedAt" TIMESTAMPTZ(3),
    "verifiedTo" BIGINT NOT NULL DEFAULT 0,
    "faults" JSONB NOT NULL DEFAULT '[]',
    "moreFaults" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AuditVerification_pkey" PRIMARY KEY ("kind")
);
