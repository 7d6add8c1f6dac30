import "server-only";
import { Worker } from "node:worker_threads";
import { type ByteSource, type Installer, type InstallerDetails, installerDetails, limits } from "@slipway/installers";
import { MAX_VERSION } from "@/lib/features/releases/schema";
import { ApiError } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread } from "@/lib/kernel/worker-thread";
import { storage } from "@/lib/storage";
import { storedSource } from "@/lib/storage/source";
import type { InspectionMessage, InspectionOrder, RangeRead } from "./inspection-worker";

/** The maximum length of `minOs`, in characters. */
const MAX_MIN_OS = 30;
/** The maximum size of installer details as JSON. Those of a usual app take a few kilobytes; lists contain them. */
const MAX_DETAILS_CHARACTERS = 256 * 1024;

/** @throws ApiError invalid_installer if a value in the installer is too long to be stored */
function requireKeepable(installer: Installer, details: InstallerDetails): void {
  const { version, buildNumber, minOs } = installer;
  if (
    version.length > MAX_VERSION ||
    buildNumber.length > MAX_VERSION ||
    (minOs?.length ?? 0) > MAX_MIN_OS ||
    JSON.stringify(details).length > MAX_DETAILS_CHARACTERS
  ) {
    throw new ApiError("invalid_installer");
  }
}

/** How long an inspection may take on the clock: on a busy machine, or while the store sends slowly. */
const INSPECTION_WAIT_MS = 120_000;

/** The JavaScript heap of one inspection. The package limits the bytes that it reads. */
const MAX_HEAP_MB = 256;

const queue = new ThreadQueue("inspections", "detailInstallers");

/**
 * Inspects a stored installer. Only the ranges that describe it are read.
 * @throws ApiError invalid_installer with the reason, unavailable if the queue is full; StorageError; the signal's reason
 */
export async function inspectStored(
  file: {
    storageKey: string;
    name: string;
    /** Bytes. */
    size: number;
  },
  caller: ThreadCaller,
): Promise<{ installer: Installer; details: InstallerDetails }> {
  const source = storedSource(storage(), file.storageKey, file.size);
  const { signal } = caller;
  const installer = await queue.run(caller, () => inspectInThread(source, file.name, { signal }));
  const details = installerDetails(installer);
  requireKeepable(installer, details);
  return { installer, details };
}

/**
 * Inspects an installer in a worker thread, which is terminated when it has used its processor time, or after the timeout. A
 * file that keeps the thread busy does not delay other requests.
 * @param options.signal terminates it
 * @throws ApiError invalid_installer; the errors of the source; the signal's reason
 */
export async function inspectInThread(
  source: ByteSource,
  fileName: string,
  {
    processorTimeMs = limits.INSPECTION_TIMEOUT_MS,
    timeoutMs = INSPECTION_WAIT_MS,
    signal,
  }: { processorTimeMs?: number; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Installer> {
  const order: InspectionOrder = { fileName, size: source.size, timeoutMs };
  const worker = new Worker(new URL("./inspection-worker.ts", import.meta.url), {
    workerData: order,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const refusal = (detailKey?: string, params?: Record<string, string | number>) =>
    new ApiError("invalid_installer", { detailKey, params });
  return resultOfThread<InspectionMessage, Installer>(worker, {
    timeoutMs,
    processorTimeMs,
    signal,
    exhausted(limit) {
      if (limit === "memory") return refusal();
      const milliseconds = limit === "processor" ? processorTimeMs : timeoutMs;
      return refusal("inspection_timed_out", { seconds: Math.ceil(milliseconds / 1_000) });
    },
    message(message, { resolve, reject }) {
      if (message.kind === "inspected") return resolve(message.installer);
      if (message.kind === "refused") return reject(refusal(message.reason, { ...message.params }));
      const { id, offset, length } = message;
      const answer = async () => {
        // A copy, because a view would be sent with its whole buffer.
        const bytes = new Uint8Array(await source.read(offset, length));
        worker.postMessage({ id, bytes } satisfies RangeRead, [bytes.buffer]);
      };
      answer().catch(reject);
    },
  });
}
