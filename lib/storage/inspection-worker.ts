import { parentPort, workerData } from "node:worker_threads";
import { claimedEntitlements, InstallerError, type InstallerErrorReason, inspectInstaller } from "@slipway/installers";

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
  | { kind: "read"; id: number; offset: number; length: number }
  | { kind: "inspected"; result: unknown }
  | { kind: "refused"; reason: InstallerErrorReason; params: Readonly<Record<string, string | number>> };

/** Sent to the thread: the bytes of a range. */
export interface RangeRead {
  id: number;
  bytes: Uint8Array;
}

const { task, fileName, size, timeoutMs } = workerData as InspectionOrder;
const reads = new Map<number, (bytes: Uint8Array) => void>();
let lastId = 0;

function send(message: InspectionMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", ({ id, bytes }: RangeRead) => {
  reads.get(id)?.(bytes);
  reads.delete(id);
});

const source = {
  size,
  read(offset: number, length: number): Promise<Uint8Array> {
    const id = ++lastId;
    return new Promise((resolve) => {
      reads.set(id, resolve);
      send({ kind: "read", id, offset, length });
    });
  },
};

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
