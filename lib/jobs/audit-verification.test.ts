import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keyIdOf, signCheckpoint } from "@/lib/audit/checkpoint";
import { beginRun, finishRun, KNOWN_FAULTS, readChainState } from "@/lib/audit/verification-state";
import { writeAudit } from "@/lib/audit/write";
import { resignCheckpoints, storedCheckpoints } from "@/lib/auth/audit-checkpoints";
import { ensureServerKeys, rotateSigningKey, signingKeyOf } from "@/lib/auth/server-keys";
import { databasePool, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { aUser, requestedMails } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { runAuditVerification } from "./audit-verification";
import { mailJob } from "./mail";
import { closeQueues, queueOf } from "./queue";

setUpTestDatabase();

async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await db.$transaction((tx) =>
      writeAudit(tx, {
        actor: { kind: "anonymous", expired: false },
        request: { requestId: `r${index}`, now: new Date(), ip: null },
        table: "App",
        recordId: `app-${index}`,
        action: "update",
        changes: {},
      }),
    );
  }
}

/** Changes records despite the log's triggers, as a superuser can. */
async function tamper(...statements: string[]): Promise<void> {
  const all = [
    'ALTER TABLE "AuditRecord" DISABLE TRIGGER USER',
    ...statements,
    'ALTER TABLE "AuditRecord" ENABLE TRIGGER USER',
  ];
  await databasePool().query(all.join(";"));
}

const state = () => readChainState(db, new Date());
const checkpoints = async () =>
  (await db.auditCheckpoint.findMany({ orderBy: { records: "asc" } })).map(({ records }) => Number(records));

beforeAll(() => queueOf(mailJob));
afterAll(() => closeQueues(5_000));

beforeEach(async () => {
  await tamper('DELETE FROM "AuditRecord"');
  await db.auditCheckpoint.deleteMany();
  await db.auditVerification.deleteMany();
  await ensureServerKeys();
  await write(5);
});

describe("the verification of the audit log in the background", () => {
  it("stores a signed checkpoint of what it verified, and goes on from there", async () => {
    expect(await state()).toMatchObject({ verified: null, complete: null, running: null, faults: [] });
    expect((await runAuditVerification("new")).records).toBe(5);
    expect(await state()).toMatchObject({ verified: { records: 5 }, complete: null });
    await write(3);
    // The head of the checkpoint and the three after it.
    expect((await runAuditVerification("new")).records).toBe(4);
    expect(await checkpoints()).toEqual([5, 8]);
    expect(await state()).toMatchObject({ head: { id: "8" }, verified: { records: 8 }, complete: null, running: null });
    expect((await runAuditVerification("all")).records).toBe(8);
    expect(await state()).toMatchObject({ verified: { records: 8 }, complete: { records: 8 } });
    expect(await checkpoints()).toEqual([5, 8]);
  });

  it("has nothing to sign while the log is empty", async () => {
    await tamper('DELETE FROM "AuditRecord"');
    expect(await runAuditVerification("new")).toMatchObject({ records: 0, faults: [], head: null });
    expect(await checkpoints()).toEqual([]);
  });

  it.each([
    ["changed", `UPDATE "AuditRecord" SET "action" = 'create' WHERE "id" = 4`, { fault: "changed", id: "4" }],
    ["removed", `DELETE FROM "AuditRecord" WHERE "id" = 4`, { fault: "removed", from: "4", to: "4" }],
    ["truncated", `DELETE FROM "AuditRecord" WHERE "id" > 3`, { fault: "removed", from: "4", to: "5" }],
  ])(
    "finds a %s record that it had verified before, keeps reporting it, and signs nothing",
    async (_what, sql, fault) => {
      await runAuditVerification("new");
      await tamper(sql);
      await runAuditVerification("all");
      expect(await state()).toMatchObject({ complete: null, faults: [fault] });
      await write(1);
      await runAuditVerification("new");
      await runAuditVerification("all");
      expect((await state()).faults.length).toBeGreaterThan(0);
      expect(await checkpoints()).toEqual([5]);
    },
  );

  it("tells each administrator once by mail that the log was changed, until it is intact again", async () => {
    const admin = await aUser({ admin: true });
    await aUser({ admin: true, status: "inactive" });
    const mails = () => requestedMails(admin.userId);
    await runAuditVerification("new");
    expect(await mails()).toEqual([]);
    await tamper(`UPDATE "AuditRecord" SET "action" = 'create' WHERE "id" = 5`);
    await runAuditVerification("new");
    await runAuditVerification("all");
    expect(await mails()).toMatchObject([{ userId: admin.userId, firstRecord: "5" }]);
    await tamper(`UPDATE "AuditRecord" SET "action" = 'update' WHERE "id" = 5`);
    await runAuditVerification("all");
    await runAuditVerification("new");
    expect((await state()).faults).toEqual([]);
    await tamper(`UPDATE "AuditRecord" SET "action" = 'create' WHERE "id" = 5`);
    await runAuditVerification("all");
    expect(await mails()).toHaveLength(2);
  });

  it("reports no fault of the latest records once a verification of all records finds none", async () => {
    await runAuditVerification("new");
    await write(1);
    await tamper(`UPDATE "AuditRecord" SET "action" = 'create' WHERE "id" = 6`);
    await runAuditVerification("new");
    await tamper(`UPDATE "AuditRecord" SET "action" = 'update' WHERE "id" = 6`);
    await runAuditVerification("all");
    expect(await state()).toMatchObject({ faults: [], moreFaults: false, verified: { records: 6 } });
    const [known] = await queryRows<{ faults: unknown }>(db, sql`SELECT ${KNOWN_FAULTS} AS "faults"`);
    expect(known?.faults).toBeNull();
    expect(await checkpoints()).toEqual([5, 6]);
  });

  it("keeps a fault that another verification finds while all records are verified", async () => {
    const fault = { fault: "changed", id: "5" } as const;
    const now = new Date();
    await beginRun(db, "all", { total: 5, now });
    await beginRun(db, "new", { total: 5, now });
    await finishRun(db, "new", { faults: [fault], more: false, head: null }, new Date(now.getTime() + 1));
    await finishRun(db, "all", { faults: [], more: false, head: null }, new Date(now.getTime() + 2));
    expect((await state()).faults).toEqual([fault]);
  });

  it("verifies everything as soon as the records since the checkpoint do not follow it", async () => {
    await write(1);
    await runAuditVerification("new");
    await tamper('DELETE FROM "AuditRecord" WHERE "id" > 3');
    await write(4);
    await runAuditVerification("new");
    expect((await state()).faults).toEqual([{ fault: "rewritten", from: "1", to: "6" }]);
  });

  it("narrows a rewritten end down by the checkpoints before it", async () => {
    await runAuditVerification("new");
    await write(2);
    await runAuditVerification("new");
    await tamper('DELETE FROM "AuditRecord" WHERE "id" > 5');
    await write(3);
    await runAuditVerification("all");
    expect((await state()).faults).toEqual([{ fault: "rewritten", from: "6", to: "7" }]);
  });

  it("trusts no checkpoint of another key, even if its public half is written to the database", async () => {
    await runAuditVerification("new");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const kid = keyIdOf(publicKey);
    await db.serverKey.create({
      data: {
        kid,
        use: "sig",
        publicJwk: publicKey.export({ format: "jwk" }) as object,
        privateJwk: Buffer.from("not sealed"),
        retiredAt: new Date(),
      },
    });
    const head = { id: "5", hash: "ab".repeat(32) };
    const forged = signCheckpoint(head, { console: "https://slipway.example", now: new Date(), kid, key: privateKey });
    await db.auditCheckpoint.update({ where: { records: 5 }, data: { checkpoint: forged } });
    await runAuditVerification("new");
    expect((await state()).faults).toEqual([{ fault: "checkpoint", id: "5" }]);
    await db.serverKey.delete({ where: { kid } });
  });

  it("trusts the checkpoints of a retired key, and those of a revoked one once they are signed again", async () => {
    await runAuditVerification("new");
    await db.$transaction((tx) => rotateSigningKey(tx, new Date()));
    await runAuditVerification("all");
    expect((await state()).faults).toEqual([]);
    await db.$transaction(async (tx) => {
      const { own } = await storedCheckpoints(tx);
      const kid = await rotateSigningKey(tx, new Date(), { revoke: true });
      await resignCheckpoints(tx, own, await signingKeyOf(tx, kid));
    });
    expect(await storedCheckpoints(db)).toMatchObject({ faults: [], heads: [{ id: "5" }] });
  });

  it("leaves no run behind that was stopped", async () => {
    await expect(runAuditVerification("all", AbortSignal.abort())).rejects.toThrow();
    expect(await state()).toMatchObject({ running: null, complete: null });
  });
});
