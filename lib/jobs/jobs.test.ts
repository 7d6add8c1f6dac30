import { PgBoss } from "pg-boss";
import { afterAll, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { createPendingFile } from "@/lib/storage/files";
import { setUpTestDatabase } from "@/scripts/test-database";
import { startJobs, stopJobs } from "./index";

setUpTestDatabase();
afterAll(stopJobs);

it("the sweep is scheduled every 15 minutes and runs on one instance at a time", async () => {
  await Promise.all([startJobs(), startJobs()]);
  await stopJobs();
  const schedules = await databasePool().query("SELECT name, cron FROM pgboss.schedule ORDER BY name");
  expect(schedules.rows).toEqual([
    { name: "apple-registrations", cron: "*/5 * * * *" },
    { name: "audit-verification-all", cron: "40 3 * * 0" },
    { name: "audit-verification-new", cron: "25 * * * *" },
    { name: "bin", cron: "40 * * * *" },
    { name: "certificate-expiry", cron: "5 * * * *" },
    { name: "distributions", cron: "* * * * *" },
    { name: "expiry-mails", cron: "15 * * * *" },
    { name: "installer-facts", cron: "10 * * * *" },
    { name: "retention", cron: "20 3 * * *" },
    { name: "sweep", cron: "*/15 * * * *" },
    { name: "tester-mails", cron: "* * * * *" },
    { name: "tester-pushes", cron: "* * * * *" },
    { name: "token-expiry", cron: "10 * * * *" },
    { name: "universal-apks", cron: "*/10 * * * *" },
    { name: "webhooks", cron: "* * * * *" },
  ]);

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
