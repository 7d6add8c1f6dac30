import { BackupError } from "@/lib/backup/errors";
import { closeDatabase } from "@/lib/db/client";
import { SettingsError } from "@/lib/kernel/env";
import { withConsoleSettings } from "./settings";
import { Refusal } from "./usage";

/**
 * Runs a maintenance command with the console's settings, then closes the database. A refusal or an invalid setting is written
 * to standard error and sets the exit code to 1; any other error is thrown.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await withConsoleSettings(async () => {
      try {
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
