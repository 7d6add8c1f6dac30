import "server-only";
import { Worker } from "node:worker_threads";
import { type ByteSource, type ContentsDiff, limits } from "@slipway/installers";
import { ApiError } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread, UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import type { ComparisonMessage, ComparisonOrder } from "./comparison-worker";
import { storage } from "./index";
import { type RangedObject, storedSource } from "./source";
import { sendRange } from "./thread-ranges";

/** How long a comparison may take on the clock: on a busy machine, or while the store sends slowly. */
const COMPARISON_WAIT_MS = 60_000;

const queue = new ThreadQueue("comparisons", "compareInstallers");

/**
 * Compares what two stored installers contain. Only the ranges that describe them are read.
 * @throws ApiError invalid_installer, unavailable if the queue is full; StorageError; the signal's reason
 */
export function compareStored(from: RangedObject, to: RangedObject, caller: ThreadCaller): Promise<ContentsDiff> {
  const [before, after] = [from, to].map(({ storageKey, size }) => storedSource(storage(), storageKey, size)) as [
    ByteSource,
    ByteSource,
  ];
  return queue.run(caller, () => compareInThread(before, after, caller));
}

/**
 * Compares two installers in a worker thread, which is terminated when it has used its time or memory.
 * @throws ApiError invalid_installer; the errors of the sources; the signal's reason
 */
export function compareInThread(
  from: ByteSource,
  to: ByteSource,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ContentsDiff> {
  const order: ComparisonOrder = { sizes: [from.size, to.size], timeoutMs: COMPARISON_WAIT_MS };
  const worker = new Worker(new URL("./comparison-worker.ts", import.meta.url), {
    ...UNTRUSTED_THREAD,
    workerData: order,
  });
  return resultOfThread<ComparisonMessage, ContentsDiff>(worker, {
    timeoutMs: COMPARISON_WAIT_MS,
    processorTimeMs: 2 * limits.INSPECTION_TIMEOUT_MS,
    signal,
    exhausted: () => new ApiError("invalid_installer"),
    message(message, { resolve, reject }) {
      if (message.kind === "compared") return resolve(message.diff);
      if (message.kind === "read") return void sendRange(worker, [from, to], message).catch(reject);
      reject(new ApiError("invalid_installer", { detailKey: message.reason, params: { ...message.params } }));
    },
  });
}
