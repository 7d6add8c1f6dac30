-- CreateTable
CREATE TABLE "Instance" (
    "id" UUID NOT NULL,
    "name" VARCHAR(300) NOT NULL,
    "version" VARCHAR(50) NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Instance_pkey" PRIMARY KEY ("id")
);
