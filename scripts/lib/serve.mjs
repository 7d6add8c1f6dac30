import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { startPostgres } from "../postgres.mjs";
import { buildServer, serverFile, serverOptions } from "./build.mjs";
import { writeCliFiles } from "./cli.mjs";
import { StepError, sinceStart, step } from "./console.mjs";
import { ensureDataDir, ensureMasterKey, loadEnvFile, resolveDataDir, unknownSettings } from "./data-dir.mjs";
import { generateClient } from "./database-client.mjs";
import { projectDir } from "./files.mjs";
import { findLan, hostAndPort } from "./lan.mjs";
import { everyAddress, isPortFree, parsePort } from "./ports.mjs";
import { isAlive, readPidFile, stopProcess, waitFor, withLock, writePidFile } from "./processes.mjs";
import { consoleFile, findConsole, recordPlace } from "./running-console.mjs";
import { sortOutput } from "./server-log.mjs";

/** The hosts by which a machine reaches only itself. */
const ownNames = new Set(["localhost", "127.0.0.1", "::1"]);
const FIRST_PAGE_TIMEOUT_MS = 300_000;
/** Longer than the server waits for running uploads to finish. */
const stopGraceMs = 75_000;

/**
 * @typedef {object} Options
 * @property {"start" | "dev"} mode
 * @property {true | string | undefined} lan whether to serve HTTPS on the local network; a string is the host for its links
 */

/**
 * @param {readonly string[]} args the arguments of `npm start` or `npm run dev`
 * @returns {Options}
 * @throws {StepError} for an unknown argument
 */
export function readOptions(args) {
  /** @type {Options} */
  const options = { mode: "start", lan: undefined };
  for (const arg of args) {
    if (arg === "--dev") options.mode = "dev";
    else if (arg === "--lan") options.lan = true;
    else if (/^--lan=./.test(arg)) options.lan = arg.slice("--lan=".length);
    else
      throw new StepError(
        `Unknown argument ${arg}. Possible: npm start -- --lan, npm start -- --lan=<name or address>, npm start -- --help`,
      );
  }
  if (options.lan && options.mode === "dev") throw new StepError("--lan works with npm start only.");
  return options;
}

/**
 * Starts the console and its database, restarts a database that exits, and stops both when this process receives a signal.
 *
 * @param {Options} options
 * @param {import("./children.mjs").SignalWatch} signals
 * @returns {Promise<number>} the exit code: 0 after a signal, 1 if the server exited by itself
 */
export async function serve({ mode, lan: wantedLan }, signals) {
  loadEnvFile();
  for (const name of unknownSettings())
    console.warn(`  Warning: ${name} in .env is not a setting; .env.example has all of them.`);
  const port = readPort();
  if (wantedLan && process.env.APP_URL) {
    throw new StepError(
      "APP_URL is set. With --lan, the console's address is one of the local network: unset APP_URL.",
    );
  }
  const lan = wantedLan ? await findLan(wantedLan === true ? undefined : wantedLan) : undefined;
  const dataDir = resolveDataDir(process.env);
  const runDir = join(dataDir, "run");
  ensureDataDir(dataDir);
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const files = { own: consoleFile(dataDir), server: join(runDir, "server.json") };

  await withLock(join(runDir, "lock"), async () => claim(dataDir, port));
  /** @type {Promise<import("../postgres.mjs").Server> | undefined} */
  let starting;
  /** @type {import("../postgres.mjs").Server | undefined} */
  let database;
  try {
    await stopLeftoverServer(files.server);
    const listenAddress = await everyAddress();
    // Some systems let two programs have one port if only one of them has it on "::".
    const isFree = (await isPortFree(port, "0.0.0.0")) && (await isPortFree(port, listenAddress));
    if (!isFree) {
      throw new StepError(
        `Port ${port} is taken by another program. Stop that, or choose another port: PORT=8080 npm start`,
      );
    }
    const keyFile = process.env.MASTER_KEY ? undefined : (process.env.MASTER_KEY_FILE ?? findMasterKey(dataDir));
    await step("Client", generateClient);
    if (!process.env.DATABASE_URL && !process.env.DATABASE_URL_FILE) {
      // While the build runs. A failure is reported by the step below.
      starting = startPostgres({ dataDir });
      starting.catch(() => {});
    }
    if (mode === "start") await step("Build", (report) => buildServer(dataDir, report));
    else await step("Command-line tool", () => writeCliFiles(join(projectDir, "public", "cli")));
    signals.throwIfInterrupted();
    if (starting) {
      const pending = starting;
      database = await step("Database", async (report) => {
        const server = await pending;
        report(
          `${server.state === "reused" ? "still running" : server.state}${server.outside ? `, in ${server.directory}` : ""}`,
        );
        return server;
      });
    }
    signals.throwIfInterrupted();
    return await runServer({
      mode,
      signals,
      port,
      dataDir,
      keyFile,
      pidFile: files.server,
      database,
      lan,
      listenAddress,
    });
  } finally {
    database ??= await starting?.catch(() => undefined);
    await database?.stop();
    rmSync(files.own, { force: true });
  }
}

/**
 * @param {object} options
 * @param {"start" | "dev"} options.mode
 * @param {import("./children.mjs").SignalWatch} options.signals
 * @param {number} options.port
 * @param {string} options.dataDir
 * @param {string | undefined} options.keyFile
 * @param {string} options.pidFile
 * @param {import("../postgres.mjs").Server | undefined} options.database
 * @param {import("./lan.mjs").Lan | undefined} options.lan
 * @param {string} options.listenAddress
 * @returns {Promise<number>} the exit code
 */
async function runServer({ mode, signals, port, dataDir, keyFile, pidFile, database, lan, listenAddress }) {
  const address = lan ? `https://${hostAndPort(lan.host, port)}` : process.env.APP_URL || `http://localhost:${port}`;
  const lanHosts = lan?.hosts.join(",") ?? "";
  recordPlace(dataDir, { port, appUrl: address, lanHosts });
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    PORT: String(port),
    // Shells set HOSTNAME to the name of the machine.
    HOSTNAME: listenAddress,
    APP_URL: address,
    DATA_DIR: dataDir,
    SLIPWAY_LOCAL: "1",
    LAN_HOSTS: lanHosts,
    NEXT_TELEMETRY_DISABLED: "1",
    ...(keyFile && { MASTER_KEY_FILE: keyFile }),
    NODE_ENV: mode === "dev" ? "development" : "production",
  };
  const logFile = join(dataDir, "run", "server.log");
  const args = mode === "dev" ? [join(projectDir, "server.mjs")] : [...serverOptions, serverFile];
  const launch = () => {
    // Detached, so that Ctrl-C reaches only this process, which stops the server before the database.
    const child = spawn(process.execPath, args, {
      cwd: projectDir,
      env: { ...env, ...(database && { DATABASE_URL: database.url }) },
      stdio: ["ignore", mode === "dev" ? "inherit" : "pipe", mode === "dev" ? "inherit" : "pipe"],
      detached: true,
    });
    const pid = child.pid;
    if (pid === undefined) throw new StepError("The server could not be started.");
    const output = [child.stdout, child.stderr].filter((stream) => stream !== null);
    const launched = {
      child,
      pid,
      output,
      showOutput: sortOutput(output, logFile),
      ended: /** @type {string | undefined} */ (undefined),
    };
    child.once("exit", (code, signal) => {
      launched.ended = signal ?? `exit code ${code}`;
    });
    writePidFile(pidFile, pid, { port });
    return launched;
  };
  let server = launch();
  // A second Ctrl-C kills the server at once.
  signals.onRepeat = () => server.child.kill("SIGKILL");
  const isOver = () => signals.received !== undefined || server.ended !== undefined;
  const isReadyOrOver = async () =>
    isOver() || (await openOnce(`http://127.0.0.1:${port}/api/health/ready`)) === undefined;
  try {
    if (mode === "dev") {
      await waitFor(isReadyOrOver, { timeoutMs: Number.POSITIVE_INFINITY, everyMs: 50 });
      if (!isOver()) await openFirstPage(port, isOver);
    } else {
      await step("Server", async (report) => {
        await waitFor(isReadyOrOver, { timeoutMs: Number.POSITIVE_INFINITY, everyMs: 50 });
        report(server.ended === undefined ? `events in ${logFile}` : "ended");
      });
      server.showOutput();
    }
    if (!isOver()) {
      if (lan) await warnIfUnreachable(lan, port);
      console.log(`\n  Slipway is ready at ${address}  (${sinceStart()}; Ctrl-C stops it)\n`);
      if (lan) await explainLan(lan, port, dataDir);
    }
    await watchDatabase(database, {
      isOver,
      start: () => startPostgres({ dataDir }),
      onMoved: async () => {
        await stopProcess(server.pid, { graceMs: stopGraceMs });
        server = launch();
        server.showOutput();
      },
    });
    if (signals.received) console.log("\n  Stopping, once running uploads and downloads are through (Ctrl-C: now)");
  } finally {
    if (server.ended === undefined) await stopProcess(server.pid, { graceMs: stopGraceMs });
    rmSync(pidFile, { force: true });
  }
  if (signals.received) return 0;
  if (server.output.some((stream) => !stream.closed)) await once(server.child, "close");
  console.error(`\nThe server has ended by itself (${server.ended}); its last lines above say why.`);
  return 1;
}

/** How often it is checked whether the database runs. */
const DATABASE_CHECK_MS = 2_000;

/**
 * Starts the embedded database again when it has ended, until the console is over. A start that fails, such as on a full disk, is
 * tried again.
 *
 * @param {import("../postgres.mjs").Server | undefined} database kept up to date
 * @param {object} options
 * @param {() => boolean} options.isOver
 * @param {() => Promise<import("../postgres.mjs").Server>} options.start
 * @param {() => Promise<void>} options.onMoved called when the database has another URL, because its port was taken
 * @param {number} [options.everyMs]
 */
export async function watchDatabase(database, { isOver, start, onMoved, everyMs = DATABASE_CHECK_MS }) {
  let hasFailed = false;
  while (!isOver()) {
    await waitFor(isOver, { timeoutMs: everyMs, everyMs: Math.min(everyMs, 100) });
    if (!database || isOver() || isAlive(database.pid)) continue;
    if (!hasFailed) console.error("  The database has ended unexpectedly; it is started again.");
    try {
      const { pid, url } = await start();
      const isMoved = url !== database.url;
      Object.assign(database, { pid, url });
      if (isMoved && !isOver()) {
        console.error("  The database has another port now; the console is started again.");
        await onMoved();
      }
      if (hasFailed) console.error("  The database runs again.");
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) {
        console.error(
          `  The database could not be started, which is tried again: ${/** @type {Error} */ (error).message}`,
        );
      }
      hasFailed = true;
    }
  }
}

/**
 * Opens the sign-in page of the development server, which compiles a page when it is opened first: a browser then has it at once.
 *
 * @param {number} port
 * @param {() => boolean} isOver
 */
export async function openFirstPage(port, isOver) {
  let isOpened = false;
  openOnce(`http://127.0.0.1:${port}/`, FIRST_PAGE_TIMEOUT_MS).then(() => {
    isOpened = true;
  });
  await waitFor(() => isOpened || isOver(), { timeoutMs: FIRST_PAGE_TIMEOUT_MS, everyMs: 50 });
}

/**
 * Opens the addresses that are about to be announced, over plain HTTP, which the console answers for its health.
 *
 * @param {import("./lan.mjs").Lan} lan
 * @param {number} port
 */
async function warnIfUnreachable({ host, address, hosts }, port) {
  for (const announced of new Set([host, address])) {
    const failure = await openOnce(`http://${hostAndPort(announced, port)}/api/health/live`);
    if (failure === undefined) continue;
    const others = hosts.filter((other) => other !== announced && !ownNames.has(other));
    console.warn(
      `\n  Warning: ${announced} cannot be reached from this machine (${failure}). A firewall or the name resolution may be the cause.`,
    );
    if (others.length > 0) console.warn(`  Other addresses: ${others.map((other) => `--lan=${other}`).join(", ")}`);
  }
}

/**
 * Says how other devices reach the console for the first time.
 *
 * @param {import("./lan.mjs").Lan} lan
 * @param {number} port
 * @param {string} dataDir
 */
async function explainLan({ host, address }, port, dataDir) {
  const { terminalQr } = await import("./terminal-qr.mjs");
  const trust = `http://${hostAndPort(address, port)}/trust`;
  const { fingerprint256 } = new X509Certificate(readFileSync(join(dataDir, "lan", "authority.pem")));
  console.log(`  Once on each phone and computer, open ${trust}\n`);
  console.log(`${terminalQr(trust)}\n`);
  console.log(`  SHA-256 of the certificate: ${fingerprint256}`);
  if (isIP(host)) console.log(`  Passkeys need a name, and ${host} is an address. Sign in with password.`);
  console.log();
}

/**
 * @param {string} url
 * @param {number} [timeoutMs]
 * @returns {Promise<string | undefined>} why the URL was not answered with success; undefined if it was
 */
export async function openOnce(url, timeoutMs = 5_000) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.arrayBuffer();
    return answer.ok ? undefined : `it answers ${answer.status}`;
  } catch (error) {
    const { cause, message } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    return cause?.code ?? cause?.message ?? message;
  }
}

function readPort() {
  try {
    return parsePort(process.env.PORT, 3000);
  } catch (error) {
    throw new StepError(/** @type {Error} */ (error).message);
  }
}

/**
 * Records this process as the one that serves a data folder.
 *
 * @param {string} dataDir
 * @param {number} port
 * @throws {StepError} if another process serves it
 */
function claim(dataDir, port) {
  const other = findConsole(dataDir);
  if (other) {
    throw new StepError(
      `Slipway runs already with the data in ${dataDir}: http://localhost:${other.port} (process ${other.pid}).`,
    );
  }
  writePidFile(consoleFile(dataDir), process.pid, { port });
}

/**
 * Stops a server that outlived the process that started it.
 *
 * @param {string} file
 */
async function stopLeftoverServer(file) {
  const leftover = readPidFile(file);
  if (!leftover) return;
  await step("Leftover", async (report) => {
    await stopProcess(leftover.pid, { graceMs: 5_000 });
    report(`stopped the server of an earlier start (process ${leftover.pid})`);
  });
}

/**
 * @param {string} dataDir
 * @returns {string} the key's file, created on the first start
 * @throws {StepError} if the key was lost
 */
function findMasterKey(dataDir) {
  const { file, missing } = ensureMasterKey(dataDir);
  if (missing) {
    throw new StepError(
      `The master key ${file} is missing, and this data folder was used with one: without it nothing that is sealed can be read. Put it back. To lose what is sealed and begin with a new key, delete ${join(dataDir, "keys")}.`,
    );
  }
  return file;
}
