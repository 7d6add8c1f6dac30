import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { writeAtomically } from "./files.mjs";

/**
 * Asks again and again until the answer is truthy.
 *
 * @template T
 * @param {() => T | Promise<T>} question
 * @param {{ timeoutMs: number, everyMs?: number }} options
 * @returns {Promise<Awaited<T> | undefined>} the first truthy answer; undefined when the time is over
 */
export async function waitFor(question, { timeoutMs, everyMs = 20 }) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await question();
    if (answer) return answer;
    if (performance.now() >= end) return undefined;
    await delay(everyMs);
  }
}

/**
 * @param {number} pid
 * @returns {boolean} whether a process of that number exists, a zombie not counted where that can be told
 */
export function isAlive(pid) {
  return processIdentity(pid) !== undefined;
}

/**
 * What tells a process from a later one with the same number: its start time.
 *
 * @param {number} pid
 * @returns {string | undefined} undefined when no such process runs
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
 * Reads the start time out of Linux's /proc/<pid>/stat (proc(5)): field 22, in clock ticks since boot.
 * The command in field 2 may hold spaces and parentheses, so that fields count from the last parenthesis.
 *
 * @param {string} stat
 * @returns {string | undefined} undefined for a zombie, which runs no more
 */
export function parseProcStat(stat) {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/**
 * @param {number} pid
 * @returns {string} the command with its arguments, "" where it cannot be read
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
 * Remembers a running process in a file, in a way that a later process with the same number is not mistaken for it.
 *
 * @param {string} file
 * @param {number} pid
 * @param {Record<string, string | number>} [details] kept beside it
 */
export function writePidFile(file, pid, details = {}) {
  writeAtomically(file, `${JSON.stringify({ pid, identity: processIdentity(pid), ...details })}\n`);
}

/**
 * @param {string} file
 * @returns {{ pid: number, [detail: string]: unknown } | undefined} undefined unless that very process still runs
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
 * Ends a process: SIGTERM, and SIGKILL when it has not gone within the grace.
 *
 * @param {number} pid
 * @param {{ graceMs: number, signal?: NodeJS.Signals }} options
 * @returns {Promise<"gone" | "killed">}
 */
export async function stopProcess(pid, { graceMs, signal = "SIGTERM" }) {
  const identity = processIdentity(pid);
  const gone = () => identity === undefined || processIdentity(pid) !== identity;
  const send = (/** @type {NodeJS.Signals} */ which) => {
    try {
      process.kill(pid, which);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
    }
  };
  if (gone()) return "gone";
  send(signal);
  if (await waitFor(gone, { timeoutMs: graceMs })) return "gone";
  send("SIGKILL");
  await waitFor(gone, { timeoutMs: 5_000 });
  return "killed";
}

/**
 * Does something while no other process does it. A lock whose owner has died is taken over.
 *
 * @template T
 * @param {string} file the lock, in an existing folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  const own = `${file}.${randomUUID()}`;
  writePidFile(own, process.pid);
  try {
    // A link appears whole or not at all, unlike a file that is opened and then written.
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
    if (!(await waitFor(take, { timeoutMs: 120_000 }))) {
      throw new Error(`Another process (${readPidFile(file)?.pid}) has held ${file} for two minutes.`);
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
