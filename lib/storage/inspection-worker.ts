import { workerData } from "node:worker_threads";
import { claimedEntitlements, InstallerError, type InstallerErrorReason, inspectInstaller } from "@slipway/installers";
import { type RangeOrder, sendToParent, sourcesOfThread } from "./thread-ranges";

/** `inspect` reads what describes the installer, `claims` the entitlements in the executable of an `.ipa`. */
export type InspectionTask = "inspect" | "claims";

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

try {
  const result =
    task === "inspect"
      ? await inspectInstaller(source, { fileName, timeoutMs })
      : await claimedEntitlements(source, { timeoutMs });
  send({ kind: "inspected", result });
} catch (error) {
  if (!(error instanceof InstallerError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
