import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { createApp } from "@/lib/features/apps/operations/create-app";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { getDashboard } from "@/lib/features/dashboard/operations/get-dashboard";
import { getHealth } from "@/lib/features/health/operations/get-health";
import { consume } from "@/lib/http/rate-limit";
import { startJobs, stopJobs } from "@/lib/jobs";
import { runAuditVerification } from "@/lib/jobs/audit-verification";
import { requestMail } from "@/lib/jobs/mail";
import { readQueues } from "@/lib/jobs/state";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { describeWith } from "@/lib/testing/describe-with";
import { findPgBouncer, startPgBouncer } from "@/lib/testing/pgbouncer";
import { aRelease } from "@/lib/testing/releases";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database";
import { closeDatabase, databasePool, db } from "./client";

describeWith(findPgBouncer(), "through PgBouncer in transaction mode", ({ program, prepares }) => {
  let database: TestDatabase;
  let running: Awaited<ReturnType<typeof startPgBouncer>>;
  let admin: TestUser;

  beforeAll(async () => {
    database = await createTestDatabase();
    running = await startPgBouncer(program, database.url);
    process.env.DATABASE_URL = running.url;
    process.env.DATABASE_DIRECT_URL = database.url;
    process.env.DATABASE_PREPARED_STATEMENTS = prepares ? "on" : "off";
    admin = await aUser({ admin: true });
    await ensureServerKeys();
    await startJobs();
  });
  afterAll(async () => {
    await stopJobs();
    await closeDatabase();
    await running?.stop();
    await database?.drop();
  });

  it("concurrent requests of more connections than the pooler has are answered", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 4 === 0
          ? send(createApp, admin, { name: `App ${index}`, identifier: `com.example.app${index}` })
          : send(index % 2 === 0 ? getDashboard : getApps, admin),
      ),
    );
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201]);
    expect(await db.app.count()).toBe(10);
    const { faults } = await runAuditVerification("all");
    expect(faults).toEqual([]);
  });

  it("a release is published, limits are counted, and the health is read", async () => {
    const app = await anApp();
    const release = await aRelease(admin, {
      identifier: app.identifier,
      environmentId: app.environmentIds[0] as string,
    });
    expect(release.id).toBeTruthy();
    const counter = { name: "pooler", limit: { points: 50, seconds: 60 }, key: "one" };
    await Promise.all(Array.from({ length: 50 }, () => consume(counter)));
    await expect(consume(counter)).rejects.toMatchObject({ code: "rate_limited" });
    expect((await send(getHealth, admin)).status).toBe(200);
  });

  it("jobs run, and are woken by a notification", async () => {
    await db.$transaction((tx) => requestMail(tx, { purpose: "recovery", userId: null, locale: "en" } as never));
    await expect
      .poll(async () => (await readQueues(db)).find(({ queue }) => queue === "mail")?.waiting, { timeout: 10_000 })
      .toBe(0);
  });

  it("statements keep their time limit on each connection of the pooler", async () => {
    const limits = await Promise.all(
      Array.from({ length: 12 }, () => databasePool().query("SELECT current_setting('statement_timeout') AS value")),
    );
    expect(new Set(limits.map(({ rows }) => rows[0].value))).toEqual(new Set(["30s"]));
  });
});
