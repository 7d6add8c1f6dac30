import "server-only";
import { databasePool } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import { isStopping } from "./stop";

const CHECK_TIMEOUT_MS = 4_000;

async function passes(name: string, check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${CHECK_TIMEOUT_MS / 1000} s`);
    timer = setTimeout(() => reject(error), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return true;
  } catch (error) {
    log.warn({ err: error, check: name }, "a readiness check failed");
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Checks whether the database and the store respond within 4 seconds. `ready` is false while this instance is stopping. */
export async function readiness(): Promise<{ ready: boolean; checks: { database: boolean; store: boolean } }> {
  const [database, store] = await Promise.all([
    passes("database", () => databasePool().query("SELECT 1")),
    passes("store", () => storage().ping()),
  ]);
  return { ready: database && store && !isStopping(), checks: { database, store } };
}
