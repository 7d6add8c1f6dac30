import "server-only";
import { Worker } from "node:worker_threads";
import type { ByteSource, MappingFacts, SymbolImage } from "@slipway/installers";
import { ApiError } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread, UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import { storage } from "./index";
import { type RangedObject, storedSource } from "./source";
import type { SymbolsMessage, SymbolsOrder, SymbolsTask } from "./symbols-worker";
import { sendRange } from "./thread-ranges";

/** Of the processor: large universal files are decompressed to their last slice. */
const PROCESSOR_TIME_MS = 60_000;

/** How long it may take on the clock: on a busy machine, or while the store sends slowly. */
const SYMBOLS_WAIT_MS = 180_000;

const queue = new ThreadQueue("symbols", "detailSymbols");

/**
 * Reads the UUIDs of a stored archive of dSYM bundles when it is the caller's turn, by ranges.
 * @throws ApiError invalid_symbols with the reason, unavailable if the queue is full; StorageError; the signal's reason
 */
export function readDsymsOf(file: RangedObject, caller: ThreadCaller): Promise<SymbolImage[]> {
  return readOf("dsym", file, caller);
}

/**
 * Checks that a stored file is a mapping file, and reads its header.
 * @throws as `readDsymsOf`
 */
export function readMappingOf(file: RangedObject, caller: ThreadCaller): Promise<MappingFacts> {
  return readOf("mapping", file, caller);
}

function readOf<Result>(task: SymbolsTask, file: RangedObject, caller: ThreadCaller): Promise<Result> {
  const source = storedSource(storage(), file.storageKey, file.size);
  return queue.run(caller, () => readSymbolsInThread<Result>(task, source, caller));
}

/**
 * Reads symbols in a worker thread, which is terminated when it has used its processor time, or after the timeout.
 * @throws ApiError invalid_symbols; the errors of the source; the signal's reason
 */
export function readSymbolsInThread<Result>(
  task: SymbolsTask,
  source: ByteSource,
  { signal, processorTimeMs = PROCESSOR_TIME_MS }: { signal?: AbortSignal; processorTimeMs?: number } = {},
): Promise<Result> {
  const order: SymbolsOrder = { task, size: source.size };
  const worker = new Worker(new URL("./symbols-worker.ts", import.meta.url), {
    ...UNTRUSTED_THREAD,
    workerData: order,
  });
  const refusal = (detailKey: string, params: Record<string, string | number>) =>
    new ApiError("invalid_symbols", { detailKey, params });
  return resultOfThread<SymbolsMessage, Result>(worker, {
    timeoutMs: SYMBOLS_WAIT_MS,
    processorTimeMs,
    signal,
    exhausted(limit) {
      const milliseconds = limit === "processor" ? processorTimeMs : SYMBOLS_WAIT_MS;
      return refusal("symbols_timed_out", { seconds: Math.ceil(milliseconds / 1_000) });
    },
    message(message, { resolve, reject }) {
      if (message.kind === "read-symbols") return resolve(message.result as Result);
      if (message.kind === "refused") return reject(refusal(message.reason, { ...message.params }));
      sendRange(worker, [source], message).catch(reject);
    },
  });
}
