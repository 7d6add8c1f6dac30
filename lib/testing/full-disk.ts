import { db } from "@/lib/db/client";

/** Makes each insert and update in the tables fail like PostgreSQL on a full disk (SQLSTATE 53100). */
export async function fillDisk(tables: readonly string[] = ["AuditRecord"]): Promise<void> {
  await db.$executeRawUnsafe(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`);
  for (const table of tables) {
    await db.$executeRawUnsafe(
      `CREATE TRIGGER "aFullDisk" BEFORE INSERT OR UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
  }
}

/** Reverts {@link fillDisk}. */
export async function makeRoom(tables: readonly string[] = ["AuditRecord"]): Promise<void> {
  for (const table of tables) await db.$executeRawUnsafe(`DROP TRIGGER "aFullDisk" ON "${table}"`);
}
