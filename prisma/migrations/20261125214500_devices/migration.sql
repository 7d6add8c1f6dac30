-- CreateTable
CREATE TABLE "Device" (
    "id" UUID NOT NULL,
    "userId" UUID,
    "name" VARCHAR(100) COLLATE "names" NOT NULL,
    "os" "DeviceKind" NOT NULL,
    "osVersion" VARCHAR(15),
    "model" VARCHAR(100),
    "udid" BYTEA,
    "udidHash" BYTEA,
    "attested" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "searchText" TEXT NOT NULL GENERATED ALWAYS AS
      (search_text("name" COLLATE "default" || E'\n' || coalesce("model", ''))) STORED,

    CONSTRAINT "Device_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Device_udid_check" CHECK (("udid" IS NULL) = ("udidHash" IS NULL))
);

-- CreateIndex
CREATE INDEX "Device_userId_createdAt_id_idx" ON "Device"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Device_udidHash_idx" ON "Device"("udidHash");

-- CreateIndex
CREATE INDEX "Device_name_id_idx" ON "Device"("name", "id");

-- CreateIndex
CREATE INDEX "Device_createdAt_id_idx" ON "Device"("createdAt", "id");

-- Devices that were never seen are before all others.
CREATE INDEX "Device_lastSeenAt_id_idx" ON "Device"((coalesce("lastSeenAt", '-infinity'::timestamptz)), "id");

-- One row for each UDID and user, and one for each UDID without a user.
CREATE UNIQUE INDEX "Device_udidHash_userId_key" ON "Device"("udidHash", coalesce("userId", '00000000-0000-0000-0000-000000000000'))
  WHERE "udidHash" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "Device" ADD CONSTRAINT "Device_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Trigrams, if the server has them (see 20261121130000_flat_lists).
DO $$
DECLARE
  ops text := (SELECT quote_ident(n.nspname) || '.gin_trgm_ops'
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm');
BEGIN
  IF ops IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "Device_search_idx" ON "Device" USING GIN ("searchText" %s)', ops);
  END IF;
END
$$;
