import { parentPort, workerData } from "node:worker_threads";
import { type Installer, InstallerError, type InstallerErrorReason, inspectInstaller } from "@slipway/installers";

/** The `workerData` of the thread. */
export interface InspectionOrder {
  fileName: string;
  /** Bytes of the file. */
  size: number;
  timeoutMs: number;
}

/** Sent by the thread: a range that it needs, or the result. */
export type InspectionMessage =
  | { kind: "read"; id: number; offset: number; length: number }
  | { kind: "inspected"; installer: Installer }
  | { kind: "refused"; reason: InstallerErrorReason; params: Readonly<Record<string, string | number>> };

/** Sent to the thread: the bytes of a range. */
export interface RangeRead {
  id: number;
  bytes: Uint8Array;
}

const { fileName, size, timeoutMs } = workerData as InspectionOrder;
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
  send({ kind: "inspected", installer: await inspectInstaller(source, { fileName, timeoutMs }) });
} catch (error) {
  if (!(error instanceof InstallerError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
