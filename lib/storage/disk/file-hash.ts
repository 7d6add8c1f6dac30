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

/** Takes out who waits for a digest; without anybody, the thread does not keep the process alive. */
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
 * The SHA-256 (FIPS 180-4) of a file that is still being written. One thread beside the server reads behind the
 * writers, out of the page cache: it neither holds up the requests that bring the bytes nor has to start when the
 * last one has come.
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
   * The digest of the bytes that the file was said to have, in lower-case hex; the last use of this object.
   * @throws Error with the `code` of what reading met, or because the thread ended
   */
  digest(): Promise<string> {
    const worker = hashingThread();
    return new Promise((resolve, reject) => {
      waiting.set(this.#id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id: this.#id, path: this.#path, end: this.#end, wanted: true });
    });
  }

  /** Forgets what was read so far. A digest that is being waited for fails: the file is going away. */
  drop(): void {
    thread?.postMessage({ id: this.#id, dropped: true });
    settle(this.#id)?.reject(Object.assign(new Error("the file was given up"), { code: "ENOENT" }));
  }
}
