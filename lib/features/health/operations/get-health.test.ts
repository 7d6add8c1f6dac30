import { beforeAll, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { startJobs, stopJobs } from "@/lib/jobs";
import { newId } from "@/lib/kernel/ids";
import { VERSION } from "@/lib/kernel/instance";
import { recordInstance } from "@/lib/monitoring/instances";
import { storage } from "@/lib/storage";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import type { Health } from "../schema";
import { getHealth } from "./get-health";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
  await storage().prepare();
  await startJobs();
  await recordInstance(db, new Date());
  return stopJobs;
});

async function health(): Promise<Health> {
  const answer = await send(getHealth, admin);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

it("a console in order has no findings but what is not set up", async () => {
  const { database, store, jobs, mail, instances, version } = await health();
  expect({ database, store, jobs }).toMatchObject({
    database: { version: expect.stringMatching(/^\d+/), pool: { max: 20, waiting: 0 } },
    store: { kind: "disk", freeBytes: expect.any(Number) },
    jobs: { finding: "ok", failures: [] },
  });
  expect(mail).toMatchObject({ severity: "warning", finding: "not_configured" });
  expect(version).toBe(VERSION);
  expect(instances).toMatchObject({ finding: "ok", items: [{ version: VERSION, running: true, current: true }] });
});

it("a store that does not answer is a problem", async () => {
  await withFault({ method: "ping", when: "before" }, async () => {
    expect(await health()).toMatchObject({
      severity: "problem",
      store: { severity: "problem", finding: "silent", responseMs: null },
    });
  });
});

it("failed jobs are listed with their reason, without addresses, the latest first", async () => {
  await databasePool().query(
    `INSERT INTO pgboss.job ("id", "name", "state", "completed_on", "output") VALUES
       (gen_random_uuid(), 'sweep', 'failed', now() - interval '2 minutes', '{"message":"the store is away"}'),
       (gen_random_uuid(), 'mail', 'failed', now() - interval '1 minute', '{"message":"550 no such user <ada@example.test>"}')`,
  );
  const { jobs, mail } = await health();
  expect(jobs.finding).toBe("failed");
  expect(mail.failed).toBe(1);
  expect(jobs.failures.map(({ queue, reason }) => [queue, reason])).toEqual([
    ["mail", "550 no such user <[e-mail]>"],
    ["sweep", "the store is away"],
  ]);
});

it("an instance that was not seen for 45 seconds is told", async () => {
  const seenAt = new Date(Date.now() - 60_000);
  await db.instance.create({ data: { id: newId(), name: "gone:3000", version: "0.0.1", startedAt: seenAt, seenAt } });
  const { instances } = await health();
  expect(instances.finding).toBe("silent");
  expect(instances.items.find(({ name }) => name === "gone:3000")).toMatchObject({ running: false, current: false });
});
