import { Worker } from "node:worker_threads";
import { UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import type { FromReader, ToReader } from "./reading-worker";

/** How the reading of a file ended. */
export type Outcome =
  | { outcome: "inspected" }
  | { outcome: "refused"; reason: string }
  | { outcome: "crashed"; error: string }
  | { outcome: "out of memory" }
  | { outcome: "timed out" };

/** How the reading of a file ended, and the processor time that it took. */
export type Reading = Outcome & { milliseconds: number };

/** A thread reads this many files, and then another one is started. */
const FILES_PER_THREAD = 500;
/** A thread that has not answered by then hangs, however busy the machine is. */
const HANG_TIMEOUT_MS = 600_000;

/** The processor time of this process in milliseconds: another thread of it reads the files. */
function processTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Reads installers as the server does: in a thread with its limits, which asks for the ranges that it needs. Unlike there, a
 * thread reads many files, because its start takes longer than the reading.
 */
export class Reader {
  #worker: Worker | null = null;
  #files = 0;
  #bytes: Uint8Array = new Uint8Array();
  #end: (outcome: Outcome) => void = () => undefined;

  /**
   * @param program the bundled `reading-worker.ts`
   * @param timeoutMs after which a thread is terminated
   */
  constructor(
    readonly program: string,
    readonly timeoutMs: number = HANG_TIMEOUT_MS,
  ) {}

  async read(bytes: Uint8Array, fileName: string): Promise<Reading> {
    if (++this.#files % FILES_PER_THREAD === 0) await this.close();
    this.#worker ??= this.#start();
    const begun = processTimeMs();
    const ended = Promise.withResolvers<Outcome>();
    this.#bytes = bytes;
    this.#end = ended.resolve;
    const timer = setTimeout(() => ended.resolve({ outcome: "timed out" }), this.timeoutMs);
    this.#worker.postMessage({ kind: "order", fileName, size: bytes.length } satisfies ToReader);
    const outcome = await ended.promise;
    const milliseconds = processTimeMs() - begun;
    clearTimeout(timer);
    if (outcome.outcome !== "inspected" && outcome.outcome !== "refused") await this.close();
    return { ...outcome, milliseconds };
  }

  #start(): Worker {
    const worker = new Worker(this.program, UNTRUSTED_THREAD);
    worker.on("message", (message: FromReader) => {
      if (message.kind !== "read") return this.#end(message.outcome);
      const { id, offset, length } = message;
      // A copy, because a view would be sent with its whole buffer.
      const range = new Uint8Array(this.#bytes.subarray(offset, offset + length));
      worker.postMessage({ kind: "bytes", id, bytes: range } satisfies ToReader, [range.buffer]);
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.#end(isMemory ? { outcome: "out of memory" } : { outcome: "crashed", error: String(error.stack ?? error) });
    });
    worker.on("exit", () => this.#end({ outcome: "crashed", error: "the thread ended" }));
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#end = () => undefined;
    await worker?.terminate();
  }
}
