import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BuiltServer, type ServerSettings, startBuiltServer } from "../scripts/built-server.ts";
import { projectDir } from "../scripts/lib/files.mjs";

/**
 * Starts the built server on a free port, its log in `test-results/`.
 *
 * @param name of the log, without its extension
 */
export function startInstance(name: string, settings: ServerSettings): Promise<BuiltServer> {
  const logFile = join(projectDir, "test-results", `${name}.log`);
  rmSync(logFile, { force: true });
  return startBuiltServer({ logFile, settings });
}
