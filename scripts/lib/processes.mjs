import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { writeAtomically } from "./files.mjs";

/**
 * Polls until the result is truthy.
 *
 * @template T
 * @param {() => T | Promise<T>} poll
 * @param {{ timeoutMs: number, everyMs?: number }} options
 * @returns {Promise<Awaited<T> | undefined>} the first truthy result; undefined after `timeoutMs`
 */
export async function waitFor(poll, { timeoutMs, everyMs = 20 }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result) return result;
    if (performance.now() >= deadline) return undefined;
    await delay(everyMs);
  }
}

/**
 * @param {number} pid
 * @returns {boolean} whether the process exists; on Linux, a zombie does not count
 */
export function isAlive(pid) {
  return processIdentity(pid) !== undefined;
}

/**
 * Returns the start time of a process, which distinguishes it from a later process with the same PID.
 *
 * @param {number} pid
 * @returns {string | undefined} undefined if no such process runs
 */
export function processIdentity(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return undefined;
  }
  if (process.platform === "linux") {
    try {
      return parseProcStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return undefined;
    }
  }
  if (process.platform === "win32") return "running";
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses the start time in Linux's /proc/<pid>/stat (proc_pid_stat(5)): field 22, in clock ticks since boot.
 * The command in field 2 may contain spaces and parentheses, so fields are counted from the last parenthesis.
 *
 * @param {string} stat
 * @returns {string | undefined} undefined for a zombie
 */
export function parseProcStat(stat) {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/**
 * @param {number} pid
 * @returns {string} the command with its arguments; "" if it cannot be read
 */
export function commandLine(pid) {
  try {
    if (process.platform === "linux") {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    }
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/**
 * Records a running process in a file, with its start time, so that a later process with the same PID is not mistaken for it.
 *
 * @param {string} file
 * @param {number} pid
 * @param {Record<string, string | number>} [details] stored with it
 */
export function writePidFile(file, pid, details = {}) {
  writeAtomically(file, `${JSON.stringify({ pid, identity: processIdentity(pid), ...details })}\n`);
}

/**
 * @param {string} file
 * @returns {{ pid: number, [detail: string]: unknown } | undefined} undefined unless the recorded process still runs
 */
export function readPidFile(file) {
  let content;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
  const identity = typeof content?.pid === "number" ? processIdentity(content.pid) : undefined;
  return identity !== undefined && identity === content.identity ? content : undefined;
}

/**
 * Stops a process: sends `signal` (SIGTERM by default), then SIGKILL if it has not exited within `graceMs`.
 *
 * @param {number} pid
 * @param {{ graceMs: number, signal?: NodeJS.Signals }} options
 * @returns {Promise<"exited" | "killed">}
 */
export async function stopProcess(pid, { graceMs, signal = "SIGTERM" }) {
  const identity = processIdentity(pid);
  const hasExited = () => identity === undefined || processIdentity(pid) !== identity;
  const send = (/** @type {NodeJS.Signals} */ which) => {
    try {
      process.kill(pid, which);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
    }
  };
  if (hasExited()) return "exited";
  send(signal);
  if (await waitFor(hasExited, { timeoutMs: graceMs })) return "exited";
  send("SIGKILL");
  await waitFor(hasExited, { timeoutMs: 5_000 });
  return "killed";
}

/**
 * Runs work while holding a lock between processes. The lock of a dead process is taken over.
 *
 * @template T
 * @param {string} file the lock, in an existing folder
 * @param {() => Promise<T>} work
 * @param {number} [timeoutMs] how long to wait for the lock
 * @returns {Promise<T>}
 * @throws {Error} if another process holds the lock for longer
 */
export async function withLock(file, work, timeoutMs = 120_000) {
  const own = `${file}.${randomUUID()}`;
  writePidFile(own, process.pid);
  try {
    // Creating a link is atomic, unlike opening and writing a file.
    const take = () => {
      try {
        linkSync(own, file);
        return true;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
        if (!readPidFile(file)) rmSync(file, { force: true });
        return false;
      }
    };
    if (!(await waitFor(take, { timeoutMs }))) {
      throw new Error(`Another process (${readPidFile(file)?.pid}) has held ${file} for ${timeoutMs / 1_000} seconds.`);
    }
    try {
      return await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}
