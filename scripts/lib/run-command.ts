import { closeDatabase } from "@/lib/db/client";
import { SettingsError } from "@/lib/kernel/env";
import { withConsoleSettings } from "./settings";

/** The reason why a command cannot run, as shown to the administrator. */
export class Refusal extends Error {}

/**
 * Runs a maintenance command with the console's settings, and closes the database after it. A refusal or a wrong setting
 * is written to stderr and gives exit code 1; any other error is thrown.
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

/** Ends a command that was called the wrong way, with exit code 2. */
export function showUsage(usage: string): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}
