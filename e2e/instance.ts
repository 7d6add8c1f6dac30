import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serverFile } from "../scripts/lib/build.mjs";
import { lastLines } from "../scripts/lib/console.mjs";
import { projectDir } from "../scripts/lib/files.mjs";
import { findFreePort } from "../scripts/lib/ports.mjs";
import { isAlive, stopProcess, waitFor } from "../scripts/lib/processes.mjs";

const READY_TIMEOUT_MS = 60_000;

/** The settings that every server of the tests has to be told. */
export interface InstanceSettings {
  DATABASE_URL: string;
  DATA_DIR: string;
  MASTER_KEY: string;
  /** The console's public address, where that is not the server's own. */
  APP_URL?: string;
  SETUP_ADMIN_EMAIL?: string;
  SETUP_ADMIN_PASSWORD?: string;
}

/** A running server. */
export interface Instance {
  /** On the loopback interface, without a slash at its end. */
  url: string;
  port: number;
  /** What it has written so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts the built server on a free port. It is killed with this process.
 *
 * @param name of its log in `test-results/`
 * @throws Error with the server's last lines where it does not come up
 */
export async function startInstance(name: string, settings: InstanceSettings): Promise<Instance> {
  if (!existsSync(serverFile)) throw new Error("The server is not built. Build it first: npm run build");
  const port = await findFreePort("127.0.0.1");
  const url = `http://localhost:${port}`;
  const logDir = join(projectDir, "test-results");
  mkdirSync(logDir, { recursive: true });
  const logFile = join(logDir, `${name}.log`);
  const output = openSync(logFile, "w");
  const log = () => readFileSync(logFile, "utf8");

  const server = spawn(process.execPath, [serverFile], {
    cwd: projectDir,
    stdio: ["ignore", output, output],
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      NODE_ENV: "production",
      SLIPWAY_LOCAL: "1",
      HOSTNAME: "127.0.0.1",
      PORT: String(port),
      APP_URL: url,
      ...settings,
    },
  });
  const pid = server.pid;
  if (pid === undefined) throw new Error("The server could not be started.");
  const kill = () => void (isAlive(pid) && process.kill(pid, "SIGKILL"));
  process.prependOnceListener("exit", kill);
  const stop = async () => {
    await stopProcess(pid, { graceMs: 10_000 });
    process.off("exit", kill);
  };
  try {
    await waitUntilReady(server, url);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${lastLines(log())}`);
  }
  return { url, port, log, stop };
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
  if (!(await answers()))
    throw new Error(`The server was not ready within ${READY_TIMEOUT_MS / 1000} s. Its last lines:`);
}
