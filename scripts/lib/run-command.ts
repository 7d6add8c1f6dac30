import pg from "pg";
import { BackupError } from "@/lib/backup/errors";
import { closeDatabase, databasePool } from "@/lib/db/client";
import { env, SettingsError } from "@/lib/kernel/env";
import { whenAvailable } from "@/lib/server/dependencies";
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
 * Runs a maintenance command with the console's settings, then closes the database. A refusal or an invalid setting is written
 * to standard error and sets the exit code to 1; any other error is thrown.
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
    if (!(error instanceof Refusal || error instanceof SettingsError || error instanceof BackupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
