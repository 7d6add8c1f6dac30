import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverFile, serverOptions } from "../scripts/lib/build.mjs";
import { lastLines } from "../scripts/lib/console.mjs";
import { projectDir } from "../scripts/lib/files.mjs";
import { findFreePort } from "../scripts/lib/ports.mjs";
import { isAlive, stopProcess, waitFor } from "../scripts/lib/processes.mjs";

const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;

/** The required settings of a server, and any others of `.env.example`. */
export interface ServerSettings {
  [name: string]: string | undefined;
  DATABASE_URL: string;
  DATA_DIR: string;
  MASTER_KEY: string;
  /** The console's public address; by default, the server's own. */
  APP_URL?: string;
}

/** A running built server. */
export interface BuiltServer {
  /** On the loopback interface, without a trailing slash. */
  url: string;
  port: number;
  pid: number;
  /** Returns its output since this start. */
  log(): string;
  /** Resolves with its exit code, or with the signal that killed it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL, like a power failure. */
  kill(): Promise<void>;
}

/**
 * Starts the built server on the loopback interface and waits until it is ready. It is killed when this process exits.
 *
 * @param options.logFile the file that its output is appended to
 * @param options.port by default, a free one
 * @param options.readyTimeoutMs by default, 60 seconds
 * @throws Error with the server's last lines if it is not ready in time
 */
export async function startBuiltServer(options: {
  logFile: string;
  settings: ServerSettings;
  port?: number;
  readyTimeoutMs?: number;
}): Promise<BuiltServer> {
  if (!existsSync(serverFile)) throw new Error("The server is not built. Build it first: npm run build");
  const { logFile, settings, port = await findFreePort("127.0.0.1"), readyTimeoutMs = READY_TIMEOUT_MS } = options;
  const url = `http://localhost:${port}`;
  mkdirSync(dirname(logFile), { recursive: true });
  const output = openSync(logFile, "a");
  const begin = fstatSync(output).size;
  const log = () => readFileSync(logFile).subarray(begin).toString("utf8");
  const server = spawn(process.execPath, [...serverOptions, serverFile], {
    cwd: projectDir,
    stdio: ["ignore", output, output],
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      NODE_ENV: "production",
      // As in the image: compiling takes a quarter of the processor time of a start.
      NODE_COMPILE_CACHE: join(projectDir, "node_modules", ".cache", "compiled"),
      SLIPWAY_LOCAL: "1",
      HOSTNAME: "127.0.0.1",
      PORT: String(port),
      APP_URL: url,
      ...settings,
    },
  });
  const { pid } = server;
  if (pid === undefined) throw new Error("The server could not be started.");
  const killNow = () => void (isAlive(pid) && process.kill(pid, "SIGKILL"));
  process.prependOnceListener("exit", killNow);
  const ended = once(server, "exit").then(([code, signal]) => {
    process.off("exit", killNow);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  const stop = async () => {
    await stopProcess(pid, { graceMs: STOP_GRACE_MS });
    await ended;
  };
  const kill = async () => {
    server.kill("SIGKILL");
    await ended;
  };
  try {
    await waitUntilReady(server, url, readyTimeoutMs);
  } catch (error) {
    await kill();
    throw new Error(`${String(error)}\n${lastLines(log())}`);
  }
  return { url, port, pid, log, ended, stop, kill };
}

async function waitUntilReady(server: ChildProcess, url: string, timeoutMs: number): Promise<void> {
  const isReady = () =>
    fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ended = () => server.exitCode !== null || server.signalCode !== null;
  await waitFor(async () => ended() || (await isReady()), { timeoutMs, everyMs: 100 });
  if (ended()) throw new Error("The server ended before it was ready. Its last lines:");
  if (!(await isReady())) {
    throw new Error(`The server was not ready within ${timeoutMs / 1000} s. Its last lines:`);
  }
}
