import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { tlsFaultOf } from "@/lib/db/connection-fault";
import { isDatabaseUnavailable } from "@/lib/db/unavailable";
import { SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { StorageError } from "@/lib/storage/driver";

/** What an instance needs before it can serve. */
type Dependency = "database" | "store";

/** How long an instance waits for a dependency before it gives up, in milliseconds. */
const DEPENDENCY_TIMEOUT_MS = 300_000;
const RETRY_INTERVAL_MS = 1_000;
/** How often an instance that waits says so. */
const REMINDER_INTERVAL_MS = 10_000;

/** SQLSTATEs of a login that PostgreSQL refuses: invalid authorization, invalid password. */
const REFUSED_LOGIN = new Set(["28000", "28P01"]);

/** Whether a dependency is away, so that the same may succeed later. */
function isAway(error: unknown): boolean {
  return error instanceof StorageError ? error.failure === "unavailable" : isDatabaseUnavailable(error);
}

/**
 * The reason of an error in one line. A StorageError has it in its cause. Where a name has several addresses and none accepts a
 * connection, Node's error has no message of its own, but an error for each address.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof StorageError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.message === "") {
    return [...new Set(error.errors.map(reasonOf))].join(", ");
  }
  const { code, hostname } = error as { code?: string; hostname?: string };
  if (hostname !== undefined && (code === "ENOTFOUND" || code === "EAI_AGAIN")) {
    return `the name ${hostname} does not resolve (${code})`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replace(/\s+/g, " ");
}

/**
 * Runs a step of the start that needs a dependency. While that is away, the step is repeated, and the log says what the instance
 * waits for and since when.
 *
 * @param step is run again after a failure, so it must be idempotent
 * @param options.onWait called when the first attempt has failed
 * @param options.logs whether the log says what the instance waits for
 * @throws SettingsError if the dependency refuses the login, the connection to it cannot be encrypted as demanded, or it is away for `DEPENDENCY_TIMEOUT_MS`. Any other error
 *   of the step is thrown at once
 */
export async function whenAvailable<Result>(
  dependency: Dependency,
  step: () => Promise<Result>,
  { onWait = () => {}, timeoutMs = DEPENDENCY_TIMEOUT_MS, retryMs = RETRY_INTERVAL_MS, logs = true } = {},
): Promise<Result> {
  const since = new Date();
  const begin = performance.now();
  const waitedMs = () => Math.round(performance.now() - begin);
  let reminders = -1;
  for (;;) {
    try {
      const result = await step();
      if (logs && reminders >= 0) log.info({ dependency, waitedMs: waitedMs() }, `the ${dependency} is available`);
      return result;
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof pg.DatabaseError && REFUSED_LOGIN.has(error.code ?? "")) {
        // "no pg_hba.conf entry for host …, no encryption" of a server that demands TLS; "SSL off" before version 14.
        const way = /no encryption|SSL off/.test(reason) ? ". It may demand TLS: add sslmode=verify-full" : "";
        throw new SettingsError(`DATABASE_URL, DATABASE_PASSWORD: the database refuses the login: ${reason}${way}`);
      }
      const tlsFault = dependency === "database" ? tlsFaultOf(error) : undefined;
      if (tlsFault !== undefined) throw new SettingsError(`DATABASE_URL: ${tlsFault}`);
      if (error instanceof StorageError && error.refusesAccess) {
        throw new SettingsError(`S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: the store refuses them: ${reason}`);
      }
      if (!isAway(error)) throw error;
      if (waitedMs() >= timeoutMs) {
        throw new SettingsError(
          `the ${dependency} was not available for ${Math.round(timeoutMs / 1_000)} s: ${reason}`,
        );
      }
      if (reminders < 0) onWait();
      if (Math.floor(waitedMs() / REMINDER_INTERVAL_MS) > reminders) {
        reminders = Math.floor(waitedMs() / REMINDER_INTERVAL_MS);
        if (logs) log.warn({ dependency, since, reason }, `waiting for the ${dependency}`);
      }
      await delay(retryMs);
    }
  }
}
