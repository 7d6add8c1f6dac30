-- CreateTable
CREATE TABLE "License" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "token" VARCHAR(4096),

    CONSTRAINT "License_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "License" ADD CONSTRAINT "License_single" CHECK ("id" = 1);

INSERT INTO "License" ("id") VALUES (1);
