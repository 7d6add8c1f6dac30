import { parentPort, workerData } from "node:worker_threads";
import {
  type CertificateFile,
  CertificateFileError,
  type CertificateFileErrorReason,
  readCertificateFile,
} from "@slipway/certificates";

/** The `workerData` of the thread. */
export interface ReadingOrder {
  bytes: Uint8Array;
  fileName: string;
  password?: string;
}

/** Sent by the thread. */
export type ReadingMessage =
  | { kind: "read"; file: CertificateFile }
  | { kind: "refused"; reason: CertificateFileErrorReason };

const { bytes, fileName, password } = workerData as ReadingOrder;

function send(message: ReadingMessage): void {
  parentPort?.postMessage(message);
}

try {
  send({ kind: "read", file: await readCertificateFile(bytes, { fileName, password }) });
} catch (error) {
  if (!(error instanceof CertificateFileError)) throw error;
  send({ kind: "refused", reason: error.reason });
}
