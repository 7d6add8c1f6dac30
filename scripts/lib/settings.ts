import { ensureDataDir, ensureMasterKey, loadEnvFile, resolveDataDir } from "./data-dir.mjs";

/**
 * Runs maintenance work with the settings that `npm start` would run the console with: those of the environment and of
 * `.env`, the data folder's key, and its own PostgreSQL where DATABASE_URL names none. One that does not run is started
 * for the work and stopped after it.
 */
export async function withConsoleSettings(work: () => Promise<void>): Promise<void> {
  loadEnvFile();
  const dataDir = resolveDataDir(process.env);
  process.env.DATA_DIR = dataDir;
  ensureDataDir(dataDir);
  if (!process.env.MASTER_KEY) process.env.MASTER_KEY_FILE ??= ensureMasterKey(dataDir).file;
  if (process.env.DATABASE_URL) return work();
  // Only here: the image, which has a database elsewhere, does not bring it.
  const { startPostgres } = await import("../postgres.mjs");
  const database = await startPostgres({ dataDir });
  process.env.DATABASE_URL = database.url;
  try {
    await work();
  } finally {
    if (database.state !== "reused") await database.stop();
  }
}
