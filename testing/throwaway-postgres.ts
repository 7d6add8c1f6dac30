import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { applyMigrations } from "../lib/db/migrations.ts";
import { projectDir } from "../scripts/lib/files.mjs";
import { isAlive, readPidFile, waitFor, writePidFile } from "../scripts/lib/processes.mjs";
import { findPostgres, startPostgres } from "../scripts/postgres.mjs";

const FOLDER_PREFIX = "slipway-run-";
const OWNER_FILE = "owner.json";
const TEMPLATE = "template_migrated";
/** The file system in memory that Linux has (tmpfs(5)). */
const MEMORY_FOLDER = "/dev/shm";
const MEMORY_FOLDER_BYTES = 4 * 1024 ** 3;
const FREE_MEMORY_BYTES = 8 * 1024 ** 3;

/** A temporary PostgreSQL for a test run or another tool. */
export interface ThrowawayPostgres {
  /** Connection string of the superuser. */
  superuserUrl: string;
  /**
   * Creates a database with all migrations applied, or an empty one.
   * @returns its connection string, with the role that owns it
   */
  createDatabase(options?: { empty?: boolean }): Promise<string>;
  /** Returns the PIDs of the server and its child processes, the server's first. */
  processes(): number[];
  /** Kills it with SIGKILL, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, at the same address. */
  start(): Promise<void>;
  /** Drops a database of {@link createDatabase} and closes its connections. */
  dropDatabase(url: string): Promise<void>;
  /** Stops the server and deletes its files. */
  destroy(): Promise<void>;
}

/**
 * Creates the temporary folder of a run, which is removed when this process exits. Also removes the folders and servers of
 * earlier runs that were killed.
 *
 * @param parent the folder for temporary files
 * @returns its absolute path
 */
export async function createRunDir(parent: string = tmpdir()): Promise<string> {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(FOLDER_PREFIX)) await removeIfAbandoned(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, FOLDER_PREFIX));
  writePidFile(join(folder, OWNER_FILE), process.pid);
  // If root runs the tests, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  process.once("exit", () => removeNow(folder));
  return folder;
}

/** Returns {@link MEMORY_FOLDER} if it and the memory of this machine have room for the databases of a run. */
function findMemoryFolder(): string | undefined {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const hasRoom = bavail * bsize >= MEMORY_FOLDER_BYTES && process.availableMemory() >= FREE_MEMORY_BYTES;
    return hasRoom ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the PIDs of the child processes; empty on systems other than Linux. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Removes a folder. Tries again, since a server that is shutting down deletes files in it, which makes `rmSync` fail. */
function removeNow(folder: string): void {
  for (let attempt = 0; attempt < 40 && existsSync(folder); attempt++) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function removeIfAbandoned(folder: string): Promise<void> {
  try {
    const isNew = Date.now() - statSync(folder).mtimeMs < 60_000;
    if (isNew || readPidFile(join(folder, OWNER_FILE))) return;
    await findPostgres(join(folder, "database"))?.destroy();
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or another run is removing it.
  }
}

/**
 * Starts a temporary PostgreSQL in the folder of a run.
 *
 * @param runDir as returned by {@link createRunDir}
 * @param options.durable whether it flushes data to disk. Otherwise, a kill may tear a page of a table
 * @param options.inMemory whether its files are in memory if there is room, where a database of 750 files is copied in a tenth of
 * the time. Not for measurements
 */
export async function startThrowawayPostgres(
  runDir: string,
  { durable = false, inMemory = false }: { durable?: boolean; inMemory?: boolean } = {},
): Promise<ThrowawayPostgres> {
  const memoryFolder = inMemory ? findMemoryFolder() : undefined;
  const dataDir = join(memoryFolder ? await createRunDir(memoryFolder) : runDir, "database");
  mkdirSync(dataDir, { mode: 0o711 });
  // Tests run in one process for each core, and each process may open the pools of two instances.
  const settings = { max_connections: String(Math.max(300, 50 * availableParallelism())) };
  const startServer = () => startPostgres({ dataDir, settings, throwAway: !durable });
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  let server = await startServer();
  let admin = await connect(server.superuserUrl);
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  // An interrupted run must not leave the server running.
  const kill = () => {
    if (isAlive(server.pid)) process.kill(server.pid, "SIGQUIT");
  };
  // Prepended, so that the server stops before the exit listener of createRunDir removes its folder.
  process.prependOnceListener("exit", kill);

  let template: Promise<void> | undefined;
  const createTemplate = async () => {
    await admin.query(`CREATE DATABASE ${TEMPLATE} OWNER slipway`);
    await applyMigrations({
      connectionString: urlOf(TEMPLATE),
      directory: join(projectDir, "prisma", "migrations"),
      log: { info: () => {}, warn: () => {} },
    });
  };
  let count = 0;
  return {
    superuserUrl: server.superuserUrl,
    async createDatabase({ empty = false } = {}) {
      const name = `test_${++count}`;
      if (!empty) {
        template ??= createTemplate();
        await template;
      }
      // Copying the files costs a quarter of writing them to the log first, which is the default.
      await admin.query(
        `CREATE DATABASE ${name} OWNER slipway TEMPLATE ${empty ? "template1" : TEMPLATE} STRATEGY FILE_COPY`,
      );
      return urlOf(name);
    },
    processes: () => [server.pid, ...childrenOf(server.pid)],
    async kill() {
      const all = [server.pid, ...childrenOf(server.pid)];
      for (const pid of all) if (isAlive(pid)) process.kill(pid, "SIGKILL");
      await waitFor(() => !all.some(isAlive), { timeoutMs: 10_000 });
    },
    async start() {
      server = await startServer();
      admin = await connect(server.superuserUrl);
    },
    async dropDatabase(url) {
      await admin.query(`DROP DATABASE ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} WITH (FORCE)`);
    },
    async destroy() {
      await admin.end();
      await server.destroy();
      process.off("exit", kill);
    },
  };
}
