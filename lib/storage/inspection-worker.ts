import { parentPort, workerData } from "node:worker_threads";
import {
  InstallerError,
  type InstallerErrorReason,
  inspectInstaller,
  ipaBinaries,
  readCodeSignature,
} from "@slipway/installers";
import { type RangeOrder, sendToParent, sourcesOfThread } from "./thread-ranges";

/**
 * `inspect` reads what describes the installer, `signature` the code signature of an `.ipa`, `binaries` the UUIDs of its
 * programs.
 */
export type InspectionTask = "inspect" | "signature" | "binaries";

/** The `workerData` of the thread. */
export interface InspectionOrder {
  task: InspectionTask;
  fileName: string;
  /** Bytes of the file. */
  size: number;
  timeoutMs: number;
}

/** Sent by the thread: an image of the icon that it needs as PNG. */
export interface ImageOrder {
  kind: "convert";
  conversion: number;
  image: Uint8Array;
}

/** Sent to the thread: the image; null if it cannot be read. */
export interface ConvertedImage {
  conversion: number;
  png: Uint8Array | null;
}

/** Sent by the thread: a range that it needs, or the result. */
export type InspectionMessage =
  | RangeOrder
  | ImageOrder
  | { kind: "inspected"; result: unknown }
  | { kind: "refused"; reason: InstallerErrorReason; params: Readonly<Record<string, string | number>> };

const { task, fileName, size, timeoutMs } = workerData as InspectionOrder;
const [source] = sourcesOfThread([size]);
const send = sendToParent<InspectionMessage>;

const conversions = new Map<number, (png: Uint8Array | null) => void>();
let lastConversion = 0;
parentPort?.on("message", (message: ConvertedImage | { id: number }) => {
  if (!("png" in message)) return;
  conversions.get(message.conversion)?.(message.png);
  conversions.delete(message.conversion);
});

/** Images are decoded in a process of their own, which the parent asks. */
function toPng(image: Uint8Array): Promise<Uint8Array | null> {
  lastConversion += 1;
  const conversion = lastConversion;
  return new Promise((resolve) => {
    conversions.set(conversion, resolve);
    send({ kind: "convert", conversion, image: new Uint8Array(image) });
  });
}

const TASKS: Record<InspectionTask, () => Promise<unknown>> = {
  inspect: () => inspectInstaller(source, { fileName, timeoutMs, toPng }),
  signature: () => readCodeSignature(source, { timeoutMs }),
  binaries: () => ipaBinaries(source, { timeoutMs }),
};

try {
  send({ kind: "inspected", result: await TASKS[task]() });
} catch (error) {
  if (!(error instanceof InstallerError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
