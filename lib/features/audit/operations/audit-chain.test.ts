import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyChain } from "@/lib/audit/chain";
import { checkpointSchema, headOf, isSigned } from "@/lib/audit/checkpoint";
import { readExport } from "@/lib/audit/export";
import { noteProgress, STALLED_MS } from "@/lib/audit/verification-state";
import { databasePool, db } from "@/lib/db/client";
import { runAuditVerification } from "@/lib/jobs/audit-verification";
import { send, sendRaw } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { downloadAuditLog } from "./download-audit-log";
import { getAuditChain } from "./get-audit-chain";
import { getAuditCheckpoint } from "./get-audit-checkpoint";
import { verifyAuditChain } from "./verify-audit-chain";

setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

const chain = async () => (await send(getAuditChain, world.admin, {})).body;
const exported = async () => (await sendRaw(downloadAuditLog, world.admin, {})).text();
const verified = (text: string, known: Parameters<typeof verifyChain>[1] = {}) =>
  verifyChain(readExport(createInterface({ input: Readable.from([text]) })), known);

describe("the chain of the audit log", () => {
  it("is verified on request in the background, with its progress, once at a time", async () => {
    const asked = await send(verifyAuditChain, world.admin, {});
    expect([asked.status, asked.body.running?.kind, asked.body.verified]).toEqual([202, "all", null]);
    expect(asked.body.running.total).toBe(asked.body.records);
    await noteProgress(db, "all", { records: 1, now: new Date() });
    expect((await send(verifyAuditChain, world.admin, {})).body.running.records).toBe(1);
    const { rows } = await databasePool().query(
      "SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'audit-verification-all' AND state = 'created'",
    );
    expect(rows[0].count).toBe(1);
    await runAuditVerification("all");
    const state = await chain();
    expect(state).toMatchObject({ running: null, faults: [], firstWrongRecord: null });
    expect([state.verified.records, state.complete.records]).toEqual([state.records, state.records]);
  });

  it("is not in progress any more when a run's server is gone", async () => {
    await send(verifyAuditChain, world.admin, {});
    expect((await chain()).running).not.toBeNull();
    const progressAt = new Date(Date.now() - STALLED_MS - 1);
    await db.auditVerification.update({ where: { kind: "all" }, data: { progressAt } });
    expect((await chain()).running).toBeNull();
  });

  it("names the first wrong record", async () => {
    await databasePool().query(
      `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER; UPDATE "AuditRecord" SET "requestId" = 'other' WHERE "id" = 2;
       ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
    );
    await runAuditVerification("all");
    expect(await chain()).toMatchObject({
      complete: null,
      firstWrongRecord: "2",
      faults: [{ fault: "changed", id: "2" }],
    });
    await databasePool().query(
      `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER; DELETE FROM "AuditRecord"; ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
    );
    await db.auditCheckpoint.deleteMany();
    await databasePool().query(
      `INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'App', n::text, 'update', now(),
         jsonb_build_object('name', jsonb_build_array('Größe "1"', n * 1.50)), NULL, 'r', '', ''
       FROM generate_series(1, 1500) AS n`,
    );
    await runAuditVerification("all");
    expect((await chain()).faults).toEqual([]);
  });

  it("is verified without the database by an exported log and a signed checkpoint", async () => {
    const { status, body } = await send(getAuditCheckpoint, world.admin, {});
    const checkpoint = checkpointSchema.parse(body);
    expect([status, checkpoint.records, isSigned(checkpoint)]).toEqual([200, 1500, true]);
    const known = [headOf(checkpoint)].filter((head) => head !== null);
    const text = await exported();
    expect(await verified(text, { known })).toMatchObject({ records: 1500, faults: [], head: known[0] });
    const lines = text.trimEnd().split("\n");
    const join = (...parts: (string | undefined)[][]) => parts.flat().join("\n");
    const at = (n: number) => lines[n - 1];
    for (const [changed, fault] of [
      [join(lines.slice(0, 6), [at(7)?.replace("update", "delete")], lines.slice(7)), { fault: "changed", id: "7" }],
      [join(lines.slice(0, 6), ["no record"], lines.slice(7)), { fault: "changed", id: "7" }],
      [join(lines.slice(0, 6), lines.slice(7)), { fault: "removed", from: "7", to: "7" }],
      [join(lines.slice(0, 6), [at(8), at(7)], lines.slice(8)), { fault: "removed", from: "7", to: "7" }],
      [join(lines.slice(0, 7), [at(7)], lines.slice(7)), { fault: "reordered", id: "7" }],
      [join(lines.slice(0, 1400)), { fault: "removed", from: "1401", to: "1500" }],
    ] as const) {
      const verification = await verified(changed, { known });
      expect(verification.faults[0]).toEqual(fault);
    }
  });

  it("is exported as a file whose name contains the date", async () => {
    const answer = await sendRaw(downloadAuditLog, world.admin, {});
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    expect(answer.headers.get("content-disposition")).toMatch(/filename="audit-log-\d{4}-\d\d-\d\d\.ndjson"$/);
    await answer.body?.cancel();
  });
});
