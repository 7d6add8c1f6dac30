import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverFile } from "./lib/build.mjs";
import { lastLines } from "./lib/console.mjs";
import { projectDir } from "./lib/files.mjs";
import { findFreePort } from "./lib/ports.mjs";
import { isAlive, stopProcess, waitFor } from "./lib/processes.mjs";
import { startThrowawayPostgres } from "./throwaway-postgres.ts";

const READY_TIMEOUT_MS = 60_000;

/** A built server with a database and a data folder of its own. */
export interface BuiltServer {
  /** Its address, without a slash at its end. */
  baseUrl: string;
  databaseUrl: string;
  dataDir: string;
  pid: number;
  /** Ends it and deletes its database. */
  stop(): Promise<void>;
}

/**
 * Starts the built server on a free port of this machine.
 * @param options.runDir a temporary folder, from `createRunDir`
 * @param options.logFile where its output goes
 * @param options.admin the administrator that it makes at its start
 */
export async function startBuiltServer(options: {
  runDir: string;
  logFile: string;
  admin: { email: string; password: string };
}): Promise<BuiltServer> {
  if (!existsSync(serverFile)) throw new Error("The server is not built. Build it first: npm run build");
  const dataDir = join(options.runDir, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres = await startThrowawayPostgres(options.runDir);
  const databaseUrl = await postgres.createDatabase({ empty: true });
  const port = await findFreePort("127.0.0.1");
  const baseUrl = `http://localhost:${port}`;
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, "w");
  const server = spawn(process.execPath, [serverFile], {
    cwd: projectDir,
    stdio: ["ignore", log, log],
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      NODE_ENV: "production",
      SLIPWAY_LOCAL: "1",
      HOSTNAME: "127.0.0.1",
      PORT: String(port),
      APP_URL: baseUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      MASTER_KEY: randomBytes(32).toString("base64"),
      SETUP_ADMIN_EMAIL: options.admin.email,
      SETUP_ADMIN_PASSWORD: options.admin.password,
    },
  });
  const { pid } = server;
  if (pid === undefined) throw new Error("The server could not be started.");
  const kill = () => void (isAlive(pid) && process.kill(pid, "SIGKILL"));
  process.prependOnceListener("exit", kill);
  const stop = async () => {
    await stopProcess(pid, { graceMs: 10_000 });
    process.off("exit", kill);
    await postgres.destroy();
  };
  try {
    await waitUntilReady(server, baseUrl);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${lastLines(readFileSync(options.logFile, "utf8"))}`);
  }
  return { baseUrl, databaseUrl, dataDir, pid, stop };
}

async function waitUntilReady(server: ChildProcess, baseUrl: string): Promise<void> {
  const answers = () =>
    fetch(`${baseUrl}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ended = () => server.exitCode !== null || server.signalCode !== null;
  await waitFor(async () => ended() || (await answers()), { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 });
  if (ended()) throw new Error("The server ended before it was ready. Its last lines:");
  if (!(await answers())) {
    throw new Error(`The server was not ready within ${READY_TIMEOUT_MS / 1000} s. Its last lines:`);
  }
}
