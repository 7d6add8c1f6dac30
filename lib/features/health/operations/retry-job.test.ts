import { afterAll, beforeAll, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { startJobs, stopJobs } from "@/lib/jobs";
import { closeQueues } from "@/lib/jobs/queue";
import { newId } from "@/lib/kernel/ids";
import { createPendingFile } from "@/lib/storage/files";
import { aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { aFailedJob } from "@/lib/testing/jobs";
import { untilWaitingForLocks } from "@/lib/testing/locks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getHealth } from "./get-health";
import { retryJob } from "./retry-job";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});
afterAll(() => closeQueues(0));

const retry = (id: string) => send(retryJob, admin, { id });
const shown = async () => (await send(getHealth, admin)).body.jobs.failures.map(({ id }: { id: string }) => id);

async function stateOf(id: string): Promise<string | undefined> {
  const { rows } = await databasePool().query<{ state: string }>("SELECT state FROM pgboss.job WHERE id = $1", [id]);
  return rows[0]?.state;
}

it("a job that failed for good waits again, is not listed as failed any more, and leaves a record of who had it run", async () => {
  const id = await aFailedJob("mail");
  expect(await shown()).toContain(id);
  const before = await auditCount();
  const answer = await retry(id);
  expect(answer.status).toBe(204);
  expect(await stateOf(id)).toBe("retry");
  expect(await shown()).not.toContain(id);
  expect(await auditCount()).toBe(before + 1);
  const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
  expect(record).toMatchObject({ table: "Job", action: "retry", recordId: id });
});

it("a job that is not failed any more is refused, also where two administrators ask at the same moment", async () => {
  const id = await aFailedJob("mail");
  const answers = await Promise.all([retry(id), retry(id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  const { status, body } = await retry(id);
  expect([status, body.code]).toEqual([409, "conflict"]);
  expect(body.detail).toContain("no longer failed");
});

it("a job that is gone, or never was, is not found", async () => {
  const id = await aFailedJob("mail");
  await databasePool().query("DELETE FROM pgboss.job WHERE id = $1", [id]);
  expect((await retry(id)).status).toBe(404);
  expect((await retry(newId())).status).toBe(404);
});

it("a job of which only one may wait is refused while another one waits", async () => {
  const first = await aFailedJob("sweep");
  const second = await aFailedJob("sweep");
  const answers = [await retry(first), await retry(second)];
  expect(answers.map(({ status }) => status)).toEqual([204, 409]);
  expect(await stateOf(second)).toBe("failed");
  await databasePool().query("UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE id = $1", [first]);
  const atOnce = await Promise.all([retry(first), retry(second)]);
  expect(atOnce.map(({ status }) => status).sort()).toEqual([204, 409]);
});

it("a job of which only one may wait is refused if one is queued at the same moment", async () => {
  await databasePool().query("DELETE FROM pgboss.job WHERE name = 'sweep'");
  const id = await aFailedJob("sweep");
  const client = await databasePool().connect();
  try {
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO pgboss.job ("name", "policy") SELECT "name", "policy" FROM pgboss.queue WHERE "name" = 'sweep'`,
    );
    const answer = retry(id);
    await untilWaitingForLocks(1);
    await client.query("COMMIT");
    expect((await answer).status).toBe(409);
  } finally {
    client.release();
  }
  expect(await stateOf(id)).toBe("failed");
});

it("a job that failed days ago and waits again does not count as delayed", async () => {
  const id = await aFailedJob("mail");
  await databasePool().query(
    `UPDATE pgboss.job SET "created_on" = "created_on" - interval '2 days', "start_after" = "start_after" - interval '2 days',
      "keep_until" = now() + interval '1 minute' WHERE "id" = $1`,
    [id],
  );
  await databasePool().query("DELETE FROM pgboss.job WHERE name = 'mail' AND id <> $1", [id]);
  expect((await retry(id)).status).toBe(204);
  const { mail } = (await send(getHealth, admin)).body;
  expect([mail.finding, mail.waiting]).toEqual(["failed", 1]);
  const { rows } = await databasePool().query(
    `SELECT "keep_until" > now() + interval '1 day' AS "isKept" FROM pgboss.job WHERE "id" = $1`,
    [id],
  );
  expect(rows).toEqual([{ isKept: true }]);
});

it("a job that is run again does its work", async () => {
  await databasePool().query("DELETE FROM pgboss.job WHERE name = 'sweep'");
  const id = await aFailedJob("sweep");
  const { fileId } = await createPendingFile({ name: "a.ipa", contentType: "", purpose: "installer" });
  await db.file.update({ where: { id: fileId }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
  expect((await retry(id)).status).toBe(204);
  await startJobs();
  await expect.poll(() => stateOf(id)).toBe("completed");
  await stopJobs();
  expect(await db.file.count({ where: { id: fileId } })).toBe(0);
});
