import "server-only";
import { Worker } from "node:worker_threads";
import {
  type ByteSource,
  type CodeSignature,
  type EntitlementValue,
  type Installer,
  limits,
  type SymbolImage,
} from "@slipway/installers";
import { ApiError } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread, UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import { renderPng } from "./images";
import { ImageError } from "./images/renderer";
import { storage } from "./index";
import type {
  ConvertedImage,
  ImageOrder,
  InspectionMessage,
  InspectionOrder,
  InspectionTask,
} from "./inspection-worker";
import { type RangedObject, storedSource } from "./source";
import { sendRange } from "./thread-ranges";

/** How long an inspection may take on the clock: on a busy machine, or while the store sends slowly. */
const INSPECTION_WAIT_MS = 120_000;

const queue = new ThreadQueue("inspections", "detailInstallers");

/** An installer in the store. */
export interface StoredInstaller extends RangedObject {
  name: string;
}

/** The entitlements that an app claims. */
export type Claims = { [name: string]: EntitlementValue };

/**
 * Inspects a stored installer when it is the caller's turn. Only the ranges that describe it are read.
 * @throws ApiError invalid_installer with the reason, unavailable if the queue is full; StorageError; the signal's reason
 */
export function inspectInstallerOf(file: StoredInstaller, caller: ThreadCaller): Promise<Installer> {
  const source = storedSource(storage(), file.storageKey, file.size);
  return queue.run(caller, () => inspectInThread(source, file.name, caller));
}

/**
 * Reads the code signature of a stored `.ipa`, for which its executable is read up to there.
 * @returns null if it is not known
 * @throws as `inspectInstallerOf`
 */
export function readSignatureOf(file: StoredInstaller, caller: ThreadCaller): Promise<CodeSignature | null> {
  const source = storedSource(storage(), file.storageKey, file.size);
  return queue.run(caller, () => runInThread<CodeSignature | null>("signature", source, file.name, caller));
}

/**
 * Reads which programs a stored `.ipa` contains, with their UUIDs.
 * @returns null for another kind of installer
 * @throws as `inspectInstallerOf`
 */
export function readBinariesOf(file: StoredInstaller, caller: ThreadCaller): Promise<SymbolImage[] | null> {
  const source = storedSource(storage(), file.storageKey, file.size);
  return queue.run(caller, () => runInThread<SymbolImage[] | null>("binaries", source, file.name, caller));
}

/** Draws an image of an icon and sends it to the thread. One that cannot be drawn is null. */
async function sendPng(
  worker: Worker,
  { conversion, image }: ImageOrder,
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const png = await renderPng(image, { lane: "release", id, signal }).catch((error) => {
    if (error instanceof ImageError) return null;
    throw error;
  });
  worker.postMessage({ conversion, png } satisfies ConvertedImage);
}

interface ThreadOptions {
  /** The caller, whose images take turns with those of others. */
  id?: string;
  processorTimeMs?: number;
  timeoutMs?: number;
  /** Terminates the thread. */
  signal?: AbortSignal;
}

/**
 * Inspects an installer in a worker thread, which is terminated when it has used its processor time, or after the timeout. A
 * file that keeps the thread busy does not delay other requests.
 * @param options.signal terminates it
 * @throws ApiError invalid_installer; the errors of the source; the signal's reason
 */
export function inspectInThread(source: ByteSource, fileName: string, options: ThreadOptions = {}): Promise<Installer> {
  return runInThread<Installer>("inspect", source, fileName, options);
}

function runInThread<Result>(
  task: InspectionTask,
  source: ByteSource,
  fileName: string,
  {
    id = "inspection",
    processorTimeMs = limits.INSPECTION_TIMEOUT_MS,
    timeoutMs = INSPECTION_WAIT_MS,
    signal,
  }: ThreadOptions,
): Promise<Result> {
  const order: InspectionOrder = { task, fileName, size: source.size, timeoutMs };
  const worker = new Worker(new URL("./inspection-worker.ts", import.meta.url), {
    ...UNTRUSTED_THREAD,
    workerData: order,
  });
  const refusal = (detailKey?: string, params?: Record<string, string | number>) =>
    new ApiError("invalid_installer", { detailKey, params });
  return resultOfThread<InspectionMessage, Result>(worker, {
    timeoutMs,
    processorTimeMs,
    signal,
    exhausted(limit) {
      if (limit === "memory") return refusal();
      const milliseconds = limit === "processor" ? processorTimeMs : timeoutMs;
      return refusal("inspection_timed_out", { seconds: Math.ceil(milliseconds / 1_000) });
    },
    message(message, { resolve, reject }) {
      if (message.kind === "inspected") return resolve(message.result as Result);
      if (message.kind === "refused") return reject(refusal(message.reason, { ...message.params }));
      const sent =
        message.kind === "convert" ? sendPng(worker, message, id, signal) : sendRange(worker, [source], message);
      sent.catch(reject);
    },
  });
}
