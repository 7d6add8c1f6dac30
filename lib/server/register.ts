import "server-only";
import { prepareHttpServer } from "@/lib/http/node-server";
import { env, SettingsError } from "@/lib/kernel/env";
import { startConsole } from "./start";
import { isStopping, stopOnSignal } from "./stop";

/** Brings this instance up; one that cannot come up says why and ends, so that whoever runs it notices. */
export async function registerServer(): Promise<void> {
  try {
    stopOnSignal(prepareHttpServer({ https: env.APP_URL.startsWith("https://") }));
    await startConsole();
  } catch (error) {
    // Told to end before it was up: what it was doing has lost its database.
    if (isStopping()) return;
    process.stderr.write(
      `Slipway cannot start: ${error instanceof SettingsError ? error.message : (error as Error).stack}\n`,
    );
    process.exit(1);
  }
}
