import { beforeEach, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { setUpTestDatabase } from "@/scripts/test-database";
import { firstWrongRecord } from "./chain";
import { verifyAudit } from "./verify";
import { writeAudit } from "./write";

setUpTestDatabase();

async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await db.$transaction((tx) =>
      writeAudit(tx, {
        actor: { kind: "anonymous", expired: false },
        request: { requestId: `r${index}`, now: new Date(1_790_000_000_123 + index), ip: "192.0.2.7" } as never,
        table: "App",
        recordId: `app-${index}`,
        action: "update",
        changes: { name: ['Größe "1"\n\u0001', `名 ${index}`], size: [1.5, 12_345_678_901] },
      }),
    );
  }
}

/** Changes records despite the log's triggers, as the owner of the table can. */
async function tamper(...statements: string[]): Promise<void> {
  const all = [
    'ALTER TABLE "AuditRecord" DISABLE TRIGGER USER',
    ...statements,
    'ALTER TABLE "AuditRecord" ENABLE TRIGGER USER',
  ];
  await databasePool().query(all.join(";"));
}

const faults = async () => (await verifyAudit(databasePool())).faults;
const setColumn = (id: number, column: string, value: string) =>
  `UPDATE "AuditRecord" SET "${column}" = ${value} WHERE "id" = ${id}`;
const rehashed = (id: number) => setColumn(id, "hash", `audit_record_hash("AuditRecord")`);

/** Gives records the hashes that they would have if they had been written as they are now. */
const relinked = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((id) => [
    setColumn(id, "previousHash", `(SELECT "hash" FROM "AuditRecord" WHERE "id" = ${id - 1})`),
    rehashed(id),
  ]);

beforeEach(async () => {
  await tamper('DELETE FROM "AuditRecord"');
  await write(9);
});

describe("the verification of the audit log", () => {
  it("reports no faults and the head of an intact log", async () => {
    const { rows } = await databasePool().query('SELECT "hash" FROM "AuditRecord" WHERE "id" = 9');
    expect(await verifyAudit(databasePool())).toEqual({
      records: 9,
      faults: [],
      more: false,
      head: { id: "9", hash: rows[0].hash },
    });
    await tamper('DELETE FROM "AuditRecord"');
    expect(await verifyAudit(databasePool())).toEqual({ records: 0, faults: [], more: false, head: null });
  });

  it.each([
    ["userId", "'019a0000-0000-7000-8000-000000000001'"],
    ["tokenId", "'019a0000-0000-7000-8000-000000000001'"],
    ["table", "'User'"],
    ["recordId", "'other'"],
    ["action", "'create'"],
    ["eventDate", `"eventDate" + interval '1 millisecond'`],
    ["changes", `'{}'`],
    ["ip", "NULL"],
    ["requestId", "'other'"],
    ["hash", "repeat('a', 64)"],
  ])("reports only the record whose %s was changed", async (column, value) => {
    await tamper(setColumn(5, column, value));
    expect(await faults()).toEqual([{ fault: "changed", id: "5" }]);
  });

  it("reports the record after one that was changed together with its hash", async () => {
    await tamper(setColumn(5, "action", "'create'"), rehashed(5));
    expect(await faults()).toEqual([{ fault: "reordered", id: "6" }]);
  });

  it("does not use the database's hash function, which can be replaced", async () => {
    const { rows } = await databasePool().query("SELECT pg_get_functiondef('audit_record_hash'::regproc) AS source");
    await tamper(
      `CREATE OR REPLACE FUNCTION audit_record_hash(r "AuditRecord") RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT r."hash"::text'`,
      setColumn(5, "action", "'create'"),
    );
    expect(await faults()).toEqual([{ fault: "changed", id: "5" }]);
    await tamper(rows[0].source);
  });

  it("reports removed records, at the beginning and in the middle", async () => {
    await tamper('DELETE FROM "AuditRecord" WHERE "id" IN (1, 2, 5, 7, 8)');
    expect(await faults()).toEqual([
      { fault: "removed", from: "1", to: "2" },
      { fault: "removed", from: "5", to: "5" },
      { fault: "removed", from: "7", to: "8" },
    ]);
  });

  it("reports two records that were swapped", async () => {
    await tamper(setColumn(4, "id", "100"), setColumn(5, "id", "4"), setColumn(100, "id", "5"));
    expect(await faults()).toEqual([
      { fault: "reordered", id: "4" },
      { fault: "reordered", id: "5" },
    ]);
  });

  it("detects a truncated or rewritten log with a known head", async () => {
    const { head } = await verifyAudit(databasePool());
    if (!head) throw new Error("the log is empty");
    await tamper('DELETE FROM "AuditRecord" WHERE "id" > 7');
    expect(await faults()).toEqual([]);
    expect((await verifyAudit(databasePool(), [head])).faults).toEqual([{ fault: "removed", from: "8", to: "9" }]);
    await write(3);
    expect((await verifyAudit(databasePool(), [head])).faults).toEqual([{ fault: "rewritten", from: "1", to: "9" }]);
  });

  it("narrows a rewritten log down to the records after the last known head that it still contains", async () => {
    const hash = async (id: number) =>
      (await db.auditRecord.findUniqueOrThrow({ where: { id }, select: { hash: true } })).hash;
    const known = [
      { id: "3", hash: await hash(3) },
      { id: "9", hash: await hash(9) },
    ];
    await tamper(setColumn(5, "action", "'create'"), ...relinked(5, 9));
    expect(await faults()).toEqual([]);
    const verification = await verifyAudit(databasePool(), known);
    expect(verification.faults).toEqual([{ fault: "rewritten", from: "4", to: "9" }]);
    expect(firstWrongRecord(verification.faults)).toBe("4");
  });

  it("reports the record after one that was inserted", async () => {
    await tamper(
      ...[9, 8, 7, 6, 5].map((id) => setColumn(id, "id", String(id + 1))),
      `INSERT INTO "AuditRecord" SELECT 5, NULL, NULL, 'User', 'forged', 'delete', now(), '{}', NULL, 'r', "hash", ''
         FROM "AuditRecord" WHERE "id" = 4`,
      rehashed(5),
    );
    expect((await faults())[0]).toEqual({ fault: "reordered", id: "6" });
    expect(firstWrongRecord(await faults())).toBe("6");
  });

  it("verifies only what follows a known head, and that the head is still there", async () => {
    const { rows } = await databasePool().query('SELECT "hash" FROM "AuditRecord" WHERE "id" = 6');
    const from = { id: "6", hash: rows[0].hash as string };
    expect(await verifyAudit(databasePool(), [], { from })).toMatchObject({
      records: 4,
      faults: [],
      head: { id: "9" },
    });
    await tamper(setColumn(2, "action", "'create'"));
    expect((await verifyAudit(databasePool(), [], { from })).faults).toEqual([]);
    await tamper(setColumn(8, "action", "'create'"));
    expect((await verifyAudit(databasePool(), [], { from })).faults).toEqual([{ fault: "changed", id: "8" }]);
    await tamper('DELETE FROM "AuditRecord" WHERE "id" > 5');
    expect((await verifyAudit(databasePool(), [], { from })).faults).toEqual([
      { fault: "removed", from: "6", to: "6" },
    ]);
  });

  it("reads the log in batches, and reports at most a hundred faults", async () => {
    await databasePool().query(
      `INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'App', n::text, 'update', now(), '{}', NULL, 'r', '', '' FROM generate_series(1, 2500) AS n`,
    );
    expect(await verifyAudit(databasePool())).toMatchObject({ records: 2509, faults: [], head: { id: "2509" } });
    await tamper(`UPDATE "AuditRecord" SET "action" = 'delete' WHERE "id" > 1000`);
    const { faults: reported, more } = await verifyAudit(databasePool());
    expect([reported.length, more]).toEqual([100, true]);
    expect(reported[0]).toEqual({ fault: "changed", id: "1001" });
  });
});
