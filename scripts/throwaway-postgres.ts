import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { applyMigrations } from "../lib/db/migrations.ts";
import { projectDir } from "./lib/files.mjs";
import { isAlive, readPidFile, waitFor, writePidFile } from "./lib/processes.mjs";
import { findPostgres, startPostgres } from "./postgres.mjs";

const FOLDER_PREFIX = "slipway-run-";
const OWNER_FILE = "owner.json";
const TEMPLATE = "template_migrated";

/** A real PostgreSQL for one run of tests, or of another tool that needs an empty one. */
export interface ThrowawayPostgres {
  /** Connection string of the superuser. */
  superuserUrl: string;
  /**
   * Makes a database with all migrations applied, or an empty one.
   * @returns its connection string, as the role that owns it
   */
  createDatabase(options?: { empty?: boolean }): Promise<string>;
  /** The server's processes, its own first. */
  processes(): number[];
  /** Ends it at once, as a loss of power would. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, at the same address. */
  start(): Promise<void>;
  /** Drops a database that {@link createDatabase} made, and closes its connections. */
  dropDatabase(url: string): Promise<void>;
  /** Ends the server and deletes all that it wrote. */
  destroy(): Promise<void>;
}

/**
 * Makes the temporary folder of a run, which goes when this process ends, and removes those of earlier runs that
 * were killed, with their servers.
 *
 * @returns its absolute path
 */
export async function createRunDir(): Promise<string> {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(FOLDER_PREFIX)) await removeIfAbandoned(join(tmpdir(), name));
  }
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  writePidFile(join(folder, OWNER_FILE), process.pid);
  // Root runs the database as somebody else, who has to pass.
  chmodSync(folder, 0o711);
  process.once("exit", () => removeNow(folder));
  return folder;
}

/** Linux alone tells; elsewhere there are none to be seen. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Removes a folder in which a server that has just been told to end still deletes its own files, which breaks off `rmSync`. */
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
    // It belongs to another user, or another run removes it at this moment.
  }
}

/**
 * Starts a throw-away PostgreSQL in the folder of a run.
 *
 * @param runDir as {@link createRunDir} made it
 */
export async function startThrowawayPostgres(runDir: string): Promise<ThrowawayPostgres> {
  const dataDir = join(runDir, "database");
  mkdirSync(dataDir, { mode: 0o711 });
  const startServer = () => startPostgres({ dataDir, settings: { max_connections: "300" }, throwAway: true });
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  let server = await startServer();
  let admin = await connect(server.superuserUrl);
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  // A run that is broken off must not leave the server behind.
  const kill = () => {
    if (isAlive(server.pid)) process.kill(server.pid, "SIGQUIT");
  };
  // Before the folder of the run is removed, which listens too.
  process.prependOnceListener("exit", kill);

  let template: Promise<void> | undefined;
  const makeTemplate = async () => {
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
        template ??= makeTemplate();
        await template;
      }
      await admin.query(`CREATE DATABASE ${name} OWNER slipway${empty ? "" : ` TEMPLATE ${TEMPLATE}`}`);
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
