import pg from "pg";
import { BackupError } from "@/lib/backup/errors";
import { closeDatabase, databasePool } from "@/lib/db/client";
import { isDatabaseFull, isDatabaseUnavailable, isRelationMissing } from "@/lib/db/unavailable";
import { env, SettingsError } from "@/lib/kernel/env";
import { reasonOf, whenAvailable } from "@/lib/server/dependencies";
import { StorageError } from "@/lib/storage/driver";
import { withConsoleSettings } from "./settings";
import { Refusal } from "./usage";

/** How long a command waits for the database, which may be starting, or slow because the machine is busy. */
const DATABASE_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 250;

/** @throws SettingsError after `DATABASE_TIMEOUT_MS`, or if the database refuses the login */
async function waitForDatabase(): Promise<void> {
  const connect = async () => {
    // Not one of the pool, which would stay open: a restore needs a database that nothing else is connected to.
    const client = new pg.Client({
      connectionString: env.DATABASE_URL,
      connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
    });
    client.on("error", () => {});
    await client.connect();
    await client.end();
  };
  await whenAvailable("database", connect, {
    timeoutMs: DATABASE_TIMEOUT_MS,
    retryMs: RETRY_INTERVAL_MS,
    // What a command writes is for a person or another program.
    logs: false,
  });
}

/**
 * Explains an error whose cause is outside the program.
 * @returns one line; undefined for any other error
 */
function explain(error: unknown): string | undefined {
  if (error instanceof Refusal || error instanceof SettingsError || error instanceof BackupError) return error.message;
  if (isRelationMissing(error)) {
    return "The database has no tables of this version yet. Start the console once, then run this again.";
  }
  if (error instanceof StorageError) return `The store failed (${error.failure}): ${reasonOf(error)}`;
  if (isDatabaseFull(error)) return `The disk of the database is full: ${reasonOf(error)}`;
  if (isDatabaseUnavailable(error)) return `The database is not available: ${reasonOf(error)}`;
  if ((error as NodeJS.ErrnoException | null)?.code === "ENOSPC") return `The disk is full: ${reasonOf(error)}`;
  return undefined;
}

/**
 * Runs a maintenance command with the console's settings, then closes the database. An error whose cause is outside the program,
 * such as an invalid setting, is written to standard error in one line and sets the exit code to 1; any other error is thrown.
 * @param options.needsDatabase whether the command begins when the database answers; by default, it does
 */
export async function runCommand(command: () => Promise<void>, { needsDatabase = true } = {}): Promise<void> {
  try {
    await withConsoleSettings(async () => {
      try {
        // The console has less time, because it must answer.
        databasePool().options.connectTimeoutMs = DATABASE_TIMEOUT_MS;
        if (needsDatabase) await waitForDatabase();
        await command();
      } finally {
        await closeDatabase();
      }
    });
  } catch (error) {
    const explanation = explain(error);
    if (explanation === undefined) throw error;
    process.stderr.write(`${explanation}\n`);
    process.exitCode = 1;
  }
}
