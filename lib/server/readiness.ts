import "server-only";
import { databasePool } from "@/lib/db/client";
import { withReserve } from "@/lib/db/reserve";
import type { BinaryReply } from "@/lib/http/reply";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import { hasStarted } from "./start-state";
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

/**
 * Checks whether the database and the store respond within 4 seconds.
 * @returns 200; 503 if one of them does not respond, and while this instance is starting or stopping
 */
export async function readReadiness(): Promise<BinaryReply> {
  const [database, store] = await Promise.all([
    passes("database", () => withReserve(() => databasePool().query("SELECT 1"))),
    passes("store", () => storage().ping()),
  ]);
  const isReady = database && store && hasStarted() && !isStopping();
  return {
    status: isReady ? 200 : 503,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      ...(!isReady && { "Retry-After": "5" }),
    },
    body: JSON.stringify({ status: isReady ? "ready" : "unavailable", checks: { database, store } }),
  };
}
