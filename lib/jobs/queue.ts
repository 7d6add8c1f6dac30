import "server-only";
import { fromPrisma, PgBoss } from "pg-boss";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { log } from "@/lib/kernel/log";
import type { Job } from "./job";

interface Queues {
  boss: PgBoss;
  /** The queues that this process has made sure of. */
  made: Map<string, Promise<void>>;
}

// In development, modules are loaded anew at each change; the connections must outlive them.
const kept = globalThis as { slipwayQueues?: Promise<Queues> };

async function start(): Promise<Queues> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    application_name: "slipway-jobs",
    schema: "pgboss",
    max: 2,
    connectionTimeoutMillis: 4_000,
    useListenNotify: true,
  });
  // Unheard, a lost connection would end the process; the jobs go on when the database is back.
  boss.on("error", (error) => log.warn({ err: error }, "the jobs met an error"));
  await boss.start();
  return { boss, made: new Map() };
}

/** The queues, reached at the first use. */
async function queues(): Promise<Queues> {
  kept.slipwayQueues ??= start();
  try {
    return await kept.slipwayQueues;
  } catch (error) {
    kept.slipwayQueues = undefined;
    throw error;
  }
}

async function make(boss: PgBoss, { queue, options }: Job<never>): Promise<void> {
  const { policy: _fixedWhenMade, ...changeable } = options;
  await boss.createQueue(queue, options);
  // A queue that an older version made takes this version's options.
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
 * Asks for a piece of work, within the transaction of the change that causes it: it is done if the change is kept, and
 * not otherwise, even where this instance ends right after the commit.
 *
 * @param data kept in the database as it is, so no secret
 */
export async function enqueue<Data extends object>(tx: Db, job: Job<Data>, data: Data): Promise<void> {
  const boss = await queueOf(job);
  await boss.send(job.queue, data, { id: newId(), db: fromPrisma(tx) });
}

/** Lets go of the queues. @param timeoutMs how long running work is waited for */
export async function closeQueues(timeoutMs: number): Promise<void> {
  const started = kept.slipwayQueues;
  kept.slipwayQueues = undefined;
  await (await started)?.boss.stop({ graceful: true, timeout: timeoutMs });
}
