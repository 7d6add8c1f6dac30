import "server-only";
import { fromPrisma, PgBoss } from "pg-boss";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import type { Job } from "./job";

interface Queues {
  boss: PgBoss;
  /** The queues that this process has created or updated. */
  made: Map<string, Promise<void>>;
}

async function start(): Promise<Queues> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    application_name: "slipway-jobs",
    schema: "pgboss",
    max: 2,
    connectionTimeoutMillis: 4_000,
    useListenNotify: true,
  });
  // Without a listener a lost connection would end the process. The jobs continue when the database is back.
  boss.on("error", (error) => log.warn({ err: error }, "the job queue reported an error"));
  try {
    await boss.start();
  } catch (error) {
    // Its connections and timers would stay, and another one is started later.
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  return { boss, made: new Map() };
}

const started = processSingleton("queues", start);

/** The queues, connected at the first use. */
async function queues(): Promise<Queues> {
  try {
    return await started.get();
  } catch (error) {
    started.clear();
    throw error;
  }
}

async function make(boss: PgBoss, { queue, options }: Job<never>): Promise<void> {
  const { policy: _fixedWhenMade, ...changeable } = options;
  await boss.createQueue(queue, options);
  // A queue that an older version created gets the options of this version.
  await boss.updateQueue(queue, changeable);
}

/** pg-boss with the job's queue in it. */
export async function queueOf(job: Job<never>): Promise<PgBoss> {
  const { boss, made } = await queues();
  let making = made.get(job.queue);
  if (!making) {
    making = make(boss, job);
    made.set(job.queue, making);
    making.catch(() => made.delete(job.queue));
  }
  await making;
  return boss;
}

/**
 * Enqueues a job in the transaction of the change that causes it: the job runs if the transaction commits, even if
 * this instance ends right after the commit.
 *
 * @param data stored in the database unencrypted, so it holds no secret
 */
export async function enqueue<Data extends object>(tx: Db, job: Job<Data>, data: Data): Promise<void> {
  const boss = await queueOf(job);
  await boss.send(job.queue, data, { id: newId(), db: fromPrisma(tx) });
}

/** Disconnects from the queues. @param timeoutMs how long to wait for running jobs */
export async function closeQueues(timeoutMs: number): Promise<void> {
  const queues = await started.clear();
  await queues?.boss.stop({ graceful: true, timeout: timeoutMs });
}
