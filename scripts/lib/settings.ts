import { SettingsError } from "@/lib/kernel/env";
import { ensureDataDir, ensureMasterKey, loadEnvFile, resolveDataDir } from "./data-dir.mjs";
import { withDatabase } from "./database-use.mjs";
import { takeAddress } from "./running-console.mjs";

/**
 * Runs maintenance work with the settings of `npm start`: the environment, `.env`, the address of the console that runs with the data
 * folder, its master key and, without
 * DATABASE_URL, the embedded PostgreSQL. If that is not running, it is started before the work and stopped when nothing uses it any more.
 */
export async function withConsoleSettings(work: () => Promise<void>): Promise<void> {
  loadEnvFile();
  const dataDir = resolveDataDir(process.env);
  process.env.DATA_DIR = dataDir;
  takeAddress(dataDir, process.env);
  ensureDataDir(dataDir);
  if (!process.env.MASTER_KEY) process.env.MASTER_KEY_FILE ??= ensureMasterKey(dataDir).file;
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return work();
  await withDatabase(
    dataDir,
    () => startEmbeddedDatabase(dataDir),
    ({ url }) => {
      process.env.DATABASE_URL = url;
      return work();
    },
  );
}

/** @throws SettingsError in the container image, which does not contain PostgreSQL */
async function startEmbeddedDatabase(dataDir: string) {
  // Imported only here, because the container image does not contain it.
  const { startPostgres } = await import("../postgres.mjs").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new SettingsError("DATABASE_URL or DATABASE_URL_FILE: required in the container image");
  });
  return startPostgres({ dataDir });
}
