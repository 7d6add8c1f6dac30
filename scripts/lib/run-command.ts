import { closeDatabase } from "@/lib/db/client";
import { SettingsError } from "@/lib/kernel/env";
import { withConsoleSettings } from "./settings";

/** The reason why a command cannot run, as shown to the administrator. */
export class Refusal extends Error {}

/**
 * Runs a maintenance command with the console's settings, then closes the database. A refusal or an invalid setting is written
 * to standard error and sets the exit code to 1; any other error is thrown.
 */
export function runCommand(command: () => Promise<void>): Promise<void> {
  return withConsoleSettings(async () => {
    try {
      await command();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof SettingsError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    } finally {
      await closeDatabase();
    }
  });
}

/** Writes the usage to standard error and sets the exit code to 2. */
export function showUsage(usage: string): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}
