-- What the latest sweep found in the store, in one row.
CREATE TABLE "StoreState" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sweptAt" TIMESTAMPTZ(3),
    "lostFiles" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "StoreState_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "StoreState_single" CHECK ("id" = 1)
);

INSERT INTO "StoreState" DEFAULT VALUES;
