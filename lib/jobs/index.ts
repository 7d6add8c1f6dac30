import "server-only";
import { PgBoss } from "pg-boss";
import { db } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { storage } from "@/lib/storage";
import { SWEEP_GRACE_MS, sweep } from "./sweep";

const SWEEP = "sweep";
const EVERY_15_MINUTES = "*/15 * * * *";
/** A sweep of a very large store; after this another instance may begin one. */
const SWEEP_SECONDS = 3_600;
/** A due job is begun within so many seconds. */
const POLLING_SECONDS = 30;
/** How long a stop waits for a job that runs, in milliseconds. */
const STOP_MS = 10_000;

// In development, modules are loaded anew at each change; the jobs must not be started twice.
const kept = globalThis as { slipwayJobs?: Promise<PgBoss> };

async function runSweep(): Promise<void> {
  const result = await sweep(db, storage(), { now: new Date(), graceMs: SWEEP_GRACE_MS });
  log.info(result, "swept");
}

async function start(): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    application_name: "slipway-jobs",
    schema: "pgboss",
    max: 2,
    connectionTimeoutMillis: 4_000,
  });
  // Unheard, a lost connection would end the process; the jobs go on when the database is back.
  boss.on("error", (error) => log.warn({ err: error }, "the jobs met an error"));
  await boss.start();
  // `exclusive`: one sweep waits or runs, over all instances.
  await boss.createQueue(SWEEP, { policy: "exclusive", retryLimit: 0, expireInSeconds: SWEEP_SECONDS });
  await boss.schedule(SWEEP, EVERY_15_MINUTES);
  await boss.work(SWEEP, { pollingIntervalSeconds: POLLING_SECONDS }, runSweep);
  return boss;
}

/** Starts the work that goes on beside the requests. Every instance calls it; each job runs on one of them at a time. */
export async function startJobs(): Promise<void> {
  kept.slipwayJobs ??= start();
  try {
    await kept.slipwayJobs;
  } catch (error) {
    kept.slipwayJobs = undefined;
    throw error;
  }
}

/** Stops beginning jobs and waits a while for the one that runs. */
export async function stopJobs(): Promise<void> {
  const started = kept.slipwayJobs;
  kept.slipwayJobs = undefined;
  await (await started)?.stop({ graceful: true, timeout: STOP_MS });
}
