import { PgBoss } from "pg-boss";
import { afterAll, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { createPendingFile } from "@/lib/storage/files";
import { setUpTestDatabase } from "@/scripts/test-database";
import { backupJob } from "./backup";
import { JOBS, startJobs, stopJobs } from "./index";
import { dropWaiting, enqueue, queueOf } from "./queue";
import { webhooksJob } from "./webhooks";

setUpTestDatabase();
afterAll(stopJobs);

it("each job with a schedule is scheduled, and the sweep runs on one instance at a time", async () => {
  await Promise.all([startJobs(), startJobs()]);
  await stopJobs();
  const { rows } = await databasePool().query("SELECT name, cron FROM pgboss.schedule");
  const declared = JOBS.filter(({ schedule }) => schedule !== undefined);
  expect(new Map(rows.map(({ name, cron }) => [name, cron]))).toEqual(
    new Map(declared.map(({ queue, schedule }) => [queue, schedule])),
  );
  expect(rows).toContainEqual({ name: "sweep", cron: "*/15 * * * *" });

  const { fileId } = await createPendingFile({ name: "a.ipa", contentType: "", purpose: "installer" });
  await db.file.update({ where: { id: fileId }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
  const clock = new PgBoss({ connectionString: env.DATABASE_URL, supervise: false, schedule: false });
  clock.on("error", () => {});
  await clock.start();
  expect(await clock.send("sweep")).not.toBeNull();
  expect(await clock.send("sweep")).toBeNull();
  await clock.stop();

  await startJobs();
  await expect.poll(() => db.file.count({ where: { id: fileId } })).toBe(0);
});

it("a backup whose process was killed is repeated, and does not keep others from running", async () => {
  const queue = "backup";
  const boss = await queueOf(backupJob);
  await boss.send(queue);
  // As a process does that is killed afterwards.
  const [killed] = await boss.fetch(queue);
  expect(await boss.send(queue)).toBeNull();
  await databasePool().query("UPDATE pgboss.job SET heartbeat_on = now() - interval '61 seconds' WHERE id = $1", [
    killed?.id,
  ]);
  await databasePool().query("UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL WHERE name = $1", [
    queue,
  ]);
  await boss.supervise(queue);
  const { rows } = await databasePool().query("SELECT state::text FROM pgboss.job WHERE name = $1", [queue]);
  expect(rows).toEqual([{ state: "retry" }]);
});

it("the queues of earlier versions get the time after which a run counts as interrupted", async () => {
  await databasePool().query("UPDATE pgboss.queue SET heartbeat_seconds = NULL");
  await stopJobs();
  await startJobs();
  const { rows } = await databasePool().query(
    "SELECT name FROM pgboss.queue WHERE heartbeat_seconds IS NULL AND name = ANY($1)",
    [JOBS.map(({ queue }) => queue)],
  );
  expect(rows).toEqual([]);
});

it("a run takes over the requests that wait, except those for later", async () => {
  await stopJobs();
  await databasePool().query("DELETE FROM pgboss.job WHERE name = 'webhooks'");
  const startAfter = new Date(Date.now() + 60_000);
  for (const options of [{}, {}, { startAfter }]) await enqueue(db, webhooksJob, {}, options);
  await dropWaiting(webhooksJob);
  const { rows } = await databasePool().query("SELECT start_after FROM pgboss.job WHERE name = 'webhooks'");
  expect(rows).toEqual([{ start_after: startAfter }]);
});
