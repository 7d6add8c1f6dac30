import "server-only";
import { Worker } from "node:worker_threads";
import { invalidField } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread, UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import type { ParsingMessage, ParsingOrder } from "./parsing-worker";
import type { ParsedFile } from "./variable-files";

/** The processor time that one text may take. The largest import of ordinary YAML takes less than a second. */
const PARSING_PROCESSOR_MS = 5_000;
/** How long it may take on the clock, on a busy machine. */
const PARSING_WAIT_MS = 30_000;

const queue = new ThreadQueue("variable-parsings", "detailVariables");

/**
 * Reads the text of an import in a worker thread, so that no text delays other requests.
 * @returns its entries, or its first issues
 * @throws ApiError validation_failed if the text costs too much, unavailable if the queue is full; the signal's reason
 */
export async function parseForImport(order: ParsingOrder, caller: ThreadCaller): Promise<ParsedFile> {
  return queue.run(caller, () => parseInThread(order, caller));
}

/** @throws ApiError validation_failed if the text costs too much; the signal's reason */
export async function parseInThread(
  { format, text }: ParsingOrder,
  { processorTimeMs = PARSING_PROCESSOR_MS, signal }: { processorTimeMs?: number; signal?: AbortSignal } = {},
): Promise<ParsedFile> {
  const worker = new Worker(new URL("./parsing-worker.ts", import.meta.url), {
    ...UNTRUSTED_THREAD,
    workerData: { format, text },
  });
  const refusal = () => invalidField("text", "importTooCostly");
  return resultOfThread<ParsingMessage, ParsedFile>(worker, {
    timeoutMs: PARSING_WAIT_MS,
    processorTimeMs,
    signal,
    exhausted: refusal,
    message(message, { resolve, reject }) {
      if (message) resolve(message);
      else reject(refusal());
    },
  });
}
