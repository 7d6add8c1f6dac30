import { workerData } from "node:worker_threads";
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

/** Sent by the thread: a range that it needs, or the result. */
export type InspectionMessage =
  | RangeOrder
  | { kind: "inspected"; result: unknown }
  | { kind: "refused"; reason: InstallerErrorReason; params: Readonly<Record<string, string | number>> };

const { task, fileName, size, timeoutMs } = workerData as InspectionOrder;
const [source] = sourcesOfThread([size]);
const send = sendToParent<InspectionMessage>;

const TASKS: Record<InspectionTask, () => Promise<unknown>> = {
  inspect: () => inspectInstaller(source, { fileName, timeoutMs }),
  signature: () => readCodeSignature(source, { timeoutMs }),
  binaries: () => ipaBinaries(source, { timeoutMs }),
};

try {
  send({ kind: "inspected", result: await TASKS[task]() });
} catch (error) {
  if (!(error instanceof InstallerError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
