import "server-only";
import { SettingsError } from "@/lib/env";
import { prepareHttpServer } from "./http";
import { startConsole } from "./start";

/** Brings this instance up; one that cannot come up says why and ends, so that whoever runs it notices. */
export async function registerServer(): Promise<void> {
  prepareHttpServer();
  try {
    await startConsole();
  } catch (error) {
    process.stderr.write(
      `Slipway cannot start: ${error instanceof SettingsError ? error.message : (error as Error).stack}\n`,
    );
    process.exit(1);
  }
}
