import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { instanceName, thisInstance, VERSION } from "@/lib/kernel/instance";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { DAY_MS } from "@/lib/kernel/time";

/** How often an instance tells that it runs. */
const HEARTBEAT_INTERVAL_MS = 15_000;
/** An instance that has not been seen for this long is not running, or does not reach the database. */
export const INSTANCE_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;
/** How long an instance is listed that ended without a word. */
const FORGET_MS = DAY_MS;

const heartbeat = processSingleton("heartbeat", () => {
  const beat = () =>
    recordInstance(db, new Date()).catch((error) =>
      log.warn({ err: error }, "the instance could not tell that it runs"),
    );
  void beat();
  return setInterval(beat, HEARTBEAT_INTERVAL_MS).unref();
});

/** Tells the other instances that this one runs, and forgets those that ended a day ago without a word. */
export async function recordInstance(db: Db, now: Date): Promise<void> {
  const { id, startedAt } = thisInstance();
  await queryRows(
    db,
    sql`
      WITH forgotten AS (
        DELETE FROM "Instance" WHERE "seenAt" < ${new Date(now.getTime() - FORGET_MS)}::timestamptz
      )
      INSERT INTO "Instance" ("id", "name", "version", "startedAt", "seenAt")
      VALUES (${id}::uuid, ${instanceName()}, ${VERSION}, ${startedAt}::timestamptz, ${now}::timestamptz)
      ON CONFLICT ("id") DO UPDATE SET "seenAt" = EXCLUDED."seenAt"`,
    { prepared: true },
  );
}

/** Tells from now on that this instance runs. */
export function startHeartbeat(): void {
  heartbeat.get();
}

/** Tells that this instance ends. */
export async function stopHeartbeat(): Promise<void> {
  clearInterval(heartbeat.clear());
  await queryRows(db, sql`DELETE FROM "Instance" WHERE "id" = ${thisInstance().id}::uuid`);
}

/** A process of the console. */
interface SeenInstance {
  id: string;
  name: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
}

/** The instances of the last day without those that were stopped, in the order of their names. */
export function readInstances(db: Db): Promise<SeenInstance[]> {
  return queryRows(
    db,
    sql`SELECT "id", "name", "version", "startedAt", "seenAt" FROM "Instance" ORDER BY "name", "startedAt" LIMIT 1000`,
    { prepared: true },
  );
}
