import { Worker } from "node:worker_threads";

/**
 * The thread's program: keeps a SHA-256 for each file and takes the jobs in turns, so that a short file does not wait
 * behind a long one. It is a string because the maintenance commands are bundles in which a file of its own would be missing.
 */
const PROGRAM = `
const { createHash } = require("node:crypto");
const { openSync, readSync, closeSync } = require("node:fs");
const { parentPort } = require("node:worker_threads");

const TURN_BYTES = 4 * 1024 * 1024;
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
const jobs = new Map();
let running = false;

function take(job) {
  const until = Math.min(job.end, job.position + TURN_BYTES);
  const file = openSync(job.path, "r");
  try {
    while (job.position < until) {
      const count = readSync(file, buffer, 0, Math.min(buffer.length, until - job.position), job.position);
      if (count === 0) throw new Error("the file is shorter than what was written to it");
      job.hash.update(buffer.subarray(0, count));
      job.position += count;
    }
  } finally {
    closeSync(file);
  }
}

function turn() {
  let more = false;
  for (const [id, job] of jobs) {
    try {
      if (job.position < job.end) take(job);
      if (job.position < job.end) more = true;
      else if (job.wanted) {
        jobs.delete(id);
        parentPort.postMessage({ id, sha256: job.hash.digest("hex") });
      }
    } catch (error) {
      // Without its state, the next message about this file starts it again.
      jobs.delete(id);
      if (job.wanted) parentPort.postMessage({ id, failure: { message: error.message, code: error.code } });
    }
  }
  running = more;
  if (more) setImmediate(turn);
}

parentPort.on("message", ({ id, path, end, wanted, dropped }) => {
  if (dropped) return void jobs.delete(id);
  const job = jobs.get(id) ?? { path, hash: createHash("sha256"), position: 0 };
  jobs.set(id, Object.assign(job, { end, wanted }));
  if (running) return;
  running = true;
  setImmediate(turn);
});
`;

interface Answer {
  id: number;
  sha256?: string;
  failure?: { message: string; code?: string };
}

interface Waiting {
  resolve(sha256: string): void;
  reject(error: unknown): void;
}

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * Removes and returns the caller that waits for a digest. When no caller waits, the thread no longer keeps the process
 * alive.
 */
function settle(id: number): Waiting | undefined {
  const waiter = waiting.get(id);
  waiting.delete(id);
  if (waiting.size === 0) thread?.unref();
  return waiter;
}

function hashingThread(): Worker {
  if (thread) return thread;
  const worker = new Worker(PROGRAM, { eval: true, name: "file-hash" });
  thread = worker;
  worker.on("message", ({ id, sha256, failure }: Answer) => {
    const waiter = settle(id);
    if (sha256) waiter?.resolve(sha256);
    else waiter?.reject(Object.assign(new Error(failure?.message), { code: failure?.code }));
  });
  const lost = (cause: unknown) => {
    if (thread === worker) thread = undefined;
    for (const waiter of waiting.values()) waiter.reject(new Error("the hashing thread ended", { cause }));
    waiting.clear();
  };
  worker.on("error", lost);
  worker.on("exit", lost);
  worker.unref();
  return worker;
}

/**
 * The SHA-256 (FIPS 180-4) of a file that is still being written. One thread reads the bytes from the page cache after
 * they are written: it does not delay the requests that send them, and most of the file is hashed before the last bytes
 * arrive.
 */
export class FileHash {
  readonly #id = ++lastId;
  readonly #path: string;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Says that the file's first `end` bytes are written and stay as they are. */
  advance(end: number): void {
    this.#end = end;
    hashingThread().postMessage({ id: this.#id, path: this.#path, end });
  }

  /**
   * The digest of the bytes up to the last `advance`, in lower-case hex. The object cannot be used afterwards.
   * @throws Error with the `code` of a failed read, or because the thread ended
   */
  digest(): Promise<string> {
    const worker = hashingThread();
    return new Promise((resolve, reject) => {
      waiting.set(this.#id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id: this.#id, path: this.#path, end: this.#end, wanted: true });
    });
  }

  /** Drops the hash of what was read so far, because the file is being removed. A pending digest fails. */
  drop(): void {
    thread?.postMessage({ id: this.#id, dropped: true });
    settle(this.#id)?.reject(Object.assign(new Error("the file was given up"), { code: "ENOENT" }));
  }
}
