import { spawn } from "node:child_process";
import { lastLines, StepError } from "./console.mjs";

/** @type {Map<import("node:child_process").ChildProcess, NodeJS.Signals>} */
const running = new Map();

/**
 * Registers a child process, so that {@link watchSignals} stops it when this process is interrupted.
 *
 * @template {import("node:child_process").ChildProcess} T
 * @param {T} child
 * @param {NodeJS.Signals} [signal] the signal for a graceful stop
 * @returns {T}
 */
export function track(child, signal = "SIGTERM") {
  running.set(child, signal);
  child.once("exit", () => running.delete(child));
  return child;
}

/** @param {NodeJS.Signals} [signal] */
function endChildren(signal) {
  for (const [child, own] of running) child.kill(signal ?? own);
}

/**
 * @typedef {object} SignalWatch
 * @property {NodeJS.Signals | undefined} received the first signal received
 * @property {() => void} onRepeat called for each further signal
 * @property {() => void} throwIfInterrupted throws {@link Interrupted} if a signal was received
 */

/** A signal arrived while the command was still preparing. */
export class Interrupted extends Error {}

/** A terminal sends Ctrl-C to its whole process group, and npm forwards it: one key press arrives twice. */
const sameSignalMs = 500;

/**
 * Records SIGINT, SIGTERM and SIGHUP instead of exiting at once, and stops the child processes registered with {@link track}.
 * Under npm, the death of npm counts as SIGTERM, since a killed npm forwards no signal.
 *
 * @returns {SignalWatch}
 */
export function watchSignals() {
  let last = 0;
  /** @type {SignalWatch} */
  const watch = {
    received: undefined,
    onRepeat: () => {
      endChildren("SIGKILL");
      process.exit(130);
    },
    throwIfInterrupted: () => {
      if (watch.received) throw new Interrupted();
    },
  };
  const handle = (/** @type {NodeJS.Signals} */ signal) => {
    const repeated = performance.now() - last < sameSignalMs;
    last = performance.now();
    if (!watch.received) {
      watch.received = signal;
      endChildren();
    } else if (!repeated) watch.onRepeat();
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => handle(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      handle("SIGTERM");
    }, 200);
    timer.unref();
  }
  return watch;
}

/**
 * Runs a program and captures its output, which is shown only if it fails.
 *
 * @param {string} what the name in error messages, such as "npm ci"
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(output: string) => string} [pick] extracts the part of the output that explains a failure; by default the last lines
 * @returns {Promise<string>} the output
 * @throws {StepError} with that part of the output
 */
export function runQuietly(what, command, args, options, pick = lastLines) {
  return new Promise((resolve, reject) => {
    const child = track(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", (error) => reject(new StepError(`${what} could not be started: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new StepError(`${what} failed (${signal ?? `exit code ${code}`}):\n\n${pick(output)}`));
    });
  });
}

/**
 * Runs a program with its output on the console. The program has its own process group, which is killed when it exits, so
 * that no descendant survives an interrupted run.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd: string, endSignal: NodeJS.Signals }} options `endSignal` requests a graceful stop
 * @returns {Promise<boolean>} whether it exited with 0
 */
export function runLive(command, args, { env, cwd, endSignal }) {
  return new Promise((resolve) => {
    const isWindows = process.platform === "win32";
    const child = track(
      spawn(command, args, {
        cwd,
        env,
        shell: isWindows,
        detached: !isWindows,
        stdio: ["ignore", "inherit", "inherit"],
      }),
      endSignal,
    );
    const endGroup = () => {
      if (isWindows || child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
      }
    };
    const finish = (/** @type {boolean} */ succeeded) => {
      endGroup();
      resolve(succeeded);
    };
    child.once("error", (error) => {
      console.error(error.message);
      finish(false);
    });
    child.once("exit", (code) => finish(code === 0));
  });
}
