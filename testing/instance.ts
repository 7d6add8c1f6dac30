import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { type BuiltServer, type ServerSettings, startBuiltServer } from "./built-server.ts";
import { dismissTours } from "./dismissed-tours.ts";

/**
 * Starts the built server on a free port, its log in `test-results/`.
 *
 * @param name of the log, without its extension
 * @param port by default, a free one
 */
export async function startInstance(name: string, settings: ServerSettings, port?: number): Promise<BuiltServer> {
  const logFile = join(projectDir, "test-results", `${name}.log`);
  rmSync(logFile, { force: true });
  const server = await startBuiltServer({ logFile, settings, port });
  await dismissTours(settings.DATABASE_URL);
  return server;
}
