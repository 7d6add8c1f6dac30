import "server-only";
import type pg from "pg";
import { fromPrisma, PgBoss } from "pg-boss";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { type SerialClientConfig, SerialQueryClient } from "@/lib/db/serial-client";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { HEARTBEAT_SECONDS, type Job, MAX_RUN_MS } from "./job";

/** How long a statement waits for a connection that other statements use. */
const STATEMENT_WAIT_MS = 60_000;
/** Passed on to the pool of pg, whose types pg-boss does not declare. */
const CONNECTIONS: pg.PoolConfig & SerialClientConfig = { Client: SerialQueryClient, connectTimeoutMs: 4_000 };

interface Queues {
  boss: PgBoss;
  /** The queues that this process has created or updated. */
  created: Map<string, Promise<void>>;
}

async function start(): Promise<Queues> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_DIRECT_URL,
    application_name: "slipway-jobs",
    schema: "pgboss",
    max: 2,
    // The queues share two connections: at the start, the statements of all of them wait for each other, which on a busy machine takes
    // longer than a database may take to accept a connection.
    connectionTimeoutMillis: STATEMENT_WAIT_MS,
    ...CONNECTIONS,
    useListenNotify: true,
  });
  // Without a listener, a lost connection would terminate the process. Jobs continue when the database is available again.
  boss.on("error", (error) => log.warn({ err: error }, "the job queue reported an error"));
  try {
    await boss.start();
  } catch (error) {
    // Releases its connections and timers, since a retry creates another instance.
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  return { boss, created: new Map() };
}

const started = processSingleton("queues", start);

/** Returns the queues, connected on first use. */
async function queues(): Promise<Queues> {
  try {
    return await started.get();
  } catch (error) {
    started.clear();
    throw error;
  }
}

async function createQueue(boss: PgBoss, { queue, options }: Job<never>): Promise<void> {
  const { policy, ...changeable } = { ...options, heartbeatSeconds: HEARTBEAT_SECONDS };
  await boss.createQueue(queue, { policy, ...changeable });
  // A queue that an older version created gets the options of this version.
  await boss.updateQueue(queue, changeable);
}

/** Returns pg-boss after the job's queue was created. */
export async function queueOf(job: Job<never>): Promise<PgBoss> {
  const { boss, created } = await queues();
  let creation = created.get(job.queue);
  if (!creation) {
    creation = createQueue(boss, job);
    created.set(job.queue, creation);
    creation.catch(() => created.delete(job.queue));
  }
  await creation;
  return boss;
}

/**
 * Enqueues a job in the transaction of the change that causes it: the job runs if the transaction commits, even if
 * this instance stops right after the commit.
 *
 * @param data stored unencrypted in the database, so it must not contain a secret
 * @param options.startAfter when the job may run; by default, at once
 */
export async function enqueue<Data extends object>(
  tx: Db,
  job: Job<Data>,
  data: Data,
  options: { startAfter?: Date } = {},
): Promise<void> {
  const boss = await queueOf(job);
  await boss.send(job.queue, data, { ...options, id: newId(), db: fromPrisma(tx) });
}

/**
 * Deletes the jobs of a queue that could run now. A run that begins after that does what they were requested for, so that requests that
 * were made during a long run do not wait behind each other.
 */
export async function dropWaiting({ queue }: Job<never>): Promise<void> {
  await queryRows(
    db,
    sql`DELETE FROM pgboss.job WHERE "name" = ${queue} AND "state" = 'created' AND "start_after" <= now()`,
  );
}

/**
 * Runs work that does all that is due, for five minutes at most, and requests another run if it leaves something.
 * @param work returns whether more may be due
 */
export async function runWhileDue(job: Job, work: (until: Date) => Promise<boolean>): Promise<void> {
  await dropWaiting(job);
  const isMoreDue = await work(new Date(Date.now() + MAX_RUN_MS));
  if (isMoreDue) await enqueue(db, job, {});
}

/** Closes the queues. @param timeoutMs how long to wait for running jobs */
export async function closeQueues(timeoutMs: number): Promise<void> {
  const queues = await started.clear();
  await queues?.boss.stop({ graceful: true, timeout: timeoutMs });
}
