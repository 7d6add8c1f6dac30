import { parentPort } from "node:worker_threads";
import { InstallerError, inspectInstaller, installerDetails } from "@slipway/installers";
import type { Outcome } from "./reader";

/** Sent to the thread: a file, or the bytes of a range. */
export type ToReader =
  | { kind: "order"; fileName: string; size: number }
  | { kind: "bytes"; id: number; bytes: Uint8Array };

/** Sent by the thread: a range that it needs, or how the reading ended. */
export type FromReader =
  | { kind: "read"; id: number; offset: number; length: number }
  | { kind: "end"; outcome: Outcome };

/** The time is measured as processor time, because the machine may be busy. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

const reads = new Map<number, (bytes: Uint8Array) => void>();
let lastId = 0;
const send = (message: FromReader) => parentPort?.postMessage(message);

async function read(fileName: string, size: number): Promise<Outcome> {
  const source = {
    size,
    read: (offset: number, length: number) =>
      new Promise<Uint8Array>((resolve) => {
        const id = ++lastId;
        reads.set(id, resolve);
        send({ kind: "read", id, offset, length });
      }),
  };
  try {
    JSON.stringify(installerDetails(await inspectInstaller(source, { fileName, timeoutMs: NO_TIMEOUT_MS })));
    return { outcome: "inspected" };
  } catch (error) {
    if (error instanceof InstallerError) return { outcome: "refused", reason: error.reason };
    return { outcome: "crashed", error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on("message", (message: ToReader) => {
  if (message.kind === "order") {
    void read(message.fileName, message.size).then((outcome) => send({ kind: "end", outcome }));
  } else {
    reads.get(message.id)?.(message.bytes);
    reads.delete(message.id);
  }
});
