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
  /** Of private keys in PKCS#12, where it is not that of the file. */
  keyPassword?: string;
}

/** Sent by the thread. */
export type ReadingMessage =
  | { kind: "read"; file: CertificateFile }
  | { kind: "refused"; reason: CertificateFileErrorReason };

const { bytes, fileName, password, keyPassword } = workerData as ReadingOrder;

function send(message: ReadingMessage): void {
  parentPort?.postMessage(message);
}

try {
  send({ kind: "read", file: await readCertificateFile(bytes, { fileName, password, keyPassword }) });
} catch (error) {
  if (!(error instanceof CertificateFileError)) throw error;
  send({ kind: "refused", reason: error.reason });
}
