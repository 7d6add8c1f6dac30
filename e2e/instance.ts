import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BuiltServer, type ServerSettings, startBuiltServer } from "../scripts/built-server.ts";
import { projectDir } from "../scripts/lib/files.mjs";
import { dismissTours } from "./dismissed-tours.ts";

/**
 * Starts the built server on a free port, its log in `test-results/`.
 *
 * @param name of the log, without its extension
 */
export async function startInstance(name: string, settings: ServerSettings): Promise<BuiltServer> {
  const logFile = join(projectDir, "test-results", `${name}.log`);
  rmSync(logFile, { force: true });
  const server = await startBuiltServer({ logFile, settings });
  await dismissTours(settings.DATABASE_URL);
  return server;
}
