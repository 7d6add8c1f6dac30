import { NIL as EVERYBODY } from "uuid";
import { expect, it } from "vitest";
import { verifyAudit } from "@/lib/audit/verify";
import { databasePool, db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { anApp, aUser } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { fill } from "./fill";

setUpTestDatabase();

/** Returns the indexes and triggers of the tables. */
async function indexesAndTriggers(): Promise<unknown[]> {
  const { rows } = await databasePool().query(
    `SELECT pg_get_indexdef(indexrelid) AS "what" FROM pg_index WHERE indrelid::regclass::text IN ('"AuditRecord"', '"User"', '"Release"')
     UNION ALL SELECT tgname::text || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  );
  return rows;
}

it("adds rows that the console can use and audit records that continue the chain, and restores indexes and triggers", async () => {
  const admin = await aUser({ admin: true });
  const app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  const environmentId = app.environmentIds[0] as string;
  const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
  const before = await indexesAndTriggers();
  const records = await db.auditRecord.count();
  await fill(env.DATABASE_URL, { releases: 1_200, users: 300, auditRecords: 2_500 }, id);
  await fill(env.DATABASE_URL, { releases: 0, users: 10, auditRecords: 10 });
  expect(await indexesAndTriggers()).toEqual(before);

  await aRelease(admin, { identifier: app.identifier, environmentId }, { version: "2.0" });
  const { records: read, faults } = await verifyAudit(databasePool());
  expect(faults).toEqual([]);
  expect(read).toBeGreaterThan(records + 2_510);
  const counts = await db.auditCount.aggregate({ _sum: { count: true }, where: { userId: EVERYBODY } });
  expect(Number(counts._sum.count)).toBe(read);

  expect(await db.user.count()).toBe(311);
  expect(await db.release.count()).toBe(1_202);
  const copy = await db.release.findFirstOrThrow({ where: { buildNumber: "777" } });
  const original = await db.release.findUniqueOrThrow({ where: { id } });
  expect([copy.installer, copy.fileId, copy.minOs]).toEqual([original.installer, original.fileId, original.minOs]);
  const { _sum } = await db.releaseCount.aggregate({ _sum: { change: true } });
  expect(Number(_sum.change)).toBe(1_202);
});
