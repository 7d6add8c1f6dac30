import { db } from "@/lib/db/client";

/** Has the database answer each write to some tables as it does where its disk is full. */
export async function fillDisk(tables: readonly string[] = ["AuditRecord"]): Promise<void> {
  await db.$executeRawUnsafe(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`);
  for (const table of tables) {
    await db.$executeRawUnsafe(
      `CREATE TRIGGER "aFullDisk" BEFORE INSERT OR UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
  }
}

/** Ends what `fillDisk` began. */
export async function makeRoom(tables: readonly string[] = ["AuditRecord"]): Promise<void> {
  for (const table of tables) await db.$executeRawUnsafe(`DROP TRIGGER "aFullDisk" ON "${table}"`);
}
