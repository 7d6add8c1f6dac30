import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPidFile, withLock, writePidFile } from "./processes.mjs";
import { findConsole } from "./running-console.mjs";

/**
 * Uses the embedded database of a data folder, which is started if it does not run. A database that was started for a maintenance command
 * is stopped at the end of the last command. If a console uses it by then, the console stops it at its own end.
 *
 * @template {{ pid: number, state: string, stop(): Promise<void> }} Database
 * @param {string} dataDir
 * @param {() => Promise<Database>} start
 * @param {(database: Database) => Promise<void>} work
 */
export async function withDatabase(dataDir, start, work) {
  const runDir = join(dataDir, "run");
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  // A console takes the same lock before it uses the database.
  const lock = join(runDir, "lock");
  const ownFile = join(runDir, `command-${process.pid}.json`);
  const startedFile = join(runDir, "database-of-commands.json");
  await withLock(lock, async () => writePidFile(ownFile, process.pid));
  /** @type {Database | undefined} */
  let database;
  try {
    database = await start();
    if (database.state !== "reused") writePidFile(startedFile, database.pid);
    await work(database);
  } finally {
    await withLock(lock, async () => {
      rmSync(ownFile, { force: true });
      if (database === undefined || readPidFile(startedFile)?.pid !== database.pid) return;
      if (findConsole(dataDir) || hasCommands(runDir)) return;
      await database.stop();
      rmSync(startedFile, { force: true });
    });
  }
}

/**
 * @param {string} runDir
 * @returns {boolean} whether a maintenance command uses the database
 */
function hasCommands(runDir) {
  let found = false;
  for (const name of readdirSync(runDir).filter((one) => /^command-\d+\.json$/.test(one))) {
    const file = join(runDir, name);
    if (readPidFile(file)) found = true;
    else rmSync(file, { force: true });
  }
  return found;
}
