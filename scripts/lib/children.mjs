import { spawn } from "node:child_process";
import { lastLines, StepError } from "./console.mjs";

/** @type {Map<import("node:child_process").ChildProcess, NodeJS.Signals>} */
const running = new Map();

/**
 * Keeps a child process in mind, so that {@link watchSignals} ends it when the person breaks off.
 *
 * @template {import("node:child_process").ChildProcess} T
 * @param {T} child
 * @param {NodeJS.Signals} [signal] what tells it to end in order
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
 * @property {NodeJS.Signals | undefined} told the first signal that told this process to end
 * @property {() => void} again what a further one does
 * @property {() => void} throwIfTold
 */

/** This process was told to end while it was still preparing. */
export class Interrupted extends Error {}

/** A console sends Ctrl-C to its whole group, and npm passes it on: the same one arrives twice. */
const sameSignalMs = 500;

/**
 * Takes note of SIGINT, SIGTERM and SIGHUP from now on, in place of ending at once; what {@link track} knows of is told to end.
 * Under npm it also notices when npm has been killed and could pass nothing on.
 *
 * @returns {SignalWatch}
 */
export function watchSignals() {
  let last = 0;
  /** @type {SignalWatch} */
  const watch = {
    told: undefined,
    again: () => {
      endChildren("SIGKILL");
      process.exit(130);
    },
    throwIfTold: () => {
      if (watch.told) throw new Interrupted();
    },
  };
  const tell = (/** @type {NodeJS.Signals} */ signal) => {
    const repeated = performance.now() - last < sameSignalMs;
    last = performance.now();
    if (!watch.told) {
      watch.told = signal;
      endChildren();
    } else if (!repeated) watch.again();
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => tell(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      tell("SIGTERM");
    }, 200);
    timer.unref();
  }
  return watch;
}

/**
 * Runs a program to its end and keeps what it says to itself, unless it fails.
 *
 * @param {string} what for the message of a failure, like "npm ci"
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(output: string) => string} [pick] the part of its output that says why it failed: the last lines unless given
 * @returns {Promise<string>} what it said
 * @throws {StepError} with that part of what it said
 */
export function runQuietly(what, command, args, options, pick = lastLines) {
  return new Promise((answer, fail) => {
    const child = track(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", (error) => fail(new StepError(`${what} could not be started: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) answer(output);
      else fail(new StepError(`${what} failed (${signal ?? `exit code ${code}`}):\n\n${pick(output)}`));
    });
  });
}

/**
 * Runs a program to its end with its output on the console, in a process group of its own that ends with it: what it leaves
 * behind when it is broken off goes too.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd: string, timeoutMs: number, endSignal: NodeJS.Signals }} options `endSignal` tells it to end in order
 * @returns {Promise<boolean>} whether it ended well, and in time
 */
export function runLive(command, args, { env, cwd, timeoutMs, endSignal }) {
  return new Promise((answer) => {
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
    const timers = [
      setTimeout(() => {
        console.error(`\n${command} was not done within ${timeoutMs / 60_000} minutes and is broken off.`);
        child.kill(endSignal);
      }, timeoutMs),
      setTimeout(() => child.kill("SIGKILL"), timeoutMs + 30_000),
    ];
    const end = (/** @type {boolean} */ well) => {
      for (const timer of timers) clearTimeout(timer);
      endGroup();
      answer(well);
    };
    child.once("error", (error) => {
      console.error(error.message);
      end(false);
    });
    child.once("exit", (code) => end(code === 0));
  });
}
