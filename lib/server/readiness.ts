import "server-only";
import { databasePool } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import { isStopping } from "./stop";

const SECONDS = 4;

async function answers(name: string, check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${SECONDS} s`)), SECONDS * 1000);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch (error) {
    log.warn({ err: error, check: name }, "a readiness check failed");
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether what the console stands on answers, each check within 4 seconds; never while this instance goes down. */
export async function readiness(): Promise<{ ready: boolean; checks: { database: boolean; store: boolean } }> {
  const [database, store] = await Promise.all([
    answers("database", () => databasePool().query("SELECT 1")),
    answers("store", () => storage().ping()),
  ]);
  return { ready: database && store && !isStopping(), checks: { database, store } };
}
