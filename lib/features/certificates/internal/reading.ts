import "server-only";
import { Worker } from "node:worker_threads";
import { type CertificateFile, type CertificateFileErrorReason, limits } from "@slipway/certificates";
import { tooLarge } from "@/lib/http/body";
import { ApiError } from "@/lib/kernel/errors";
import { type ThreadCaller, ThreadQueue } from "@/lib/kernel/thread-queue";
import { resultOfThread, UNTRUSTED_THREAD } from "@/lib/kernel/worker-thread";
import type { ReadingMessage, ReadingOrder } from "./reading-worker";

const READING_TIMEOUT_MS = 20_000;

const queue = new ThreadQueue("certificate-readings", "detailCertificates");

/** Messages below `validation`, and the fields that they are about. */
const REFUSALS = {
  invalid_format: { field: "value", message: "certificateFormat" },
  java_keystore: { field: "value", message: "certificateJavaKeystore" },
  wrong_password: { field: "password", message: "certificatePassword" },
  unsupported_encryption: { field: "value", message: "certificateEncryption" },
  read_error: { field: "value", message: "certificateUnreadable" },
} as const;

function refusal(reason: CertificateFileErrorReason): ApiError {
  if (reason === "too_large") return tooLarge(limits.MAX_FILE_BYTES);
  const { field, message } = REFUSALS[reason];
  return new ApiError("invalid_certificate", { issues: [{ path: [field], code: reason, message }] });
}

/** Whether a file was refused for its password. */
export function isWrongPassword(error: unknown): boolean {
  return error instanceof ApiError && error.issues.some(({ code }) => code === "wrong_password");
}

/**
 * Reads a certificate file in a worker thread, so that deriving keys does not delay other requests.
 * @throws ApiError file_too_large, invalid_certificate with the reason, unavailable if the queue is full; the signal's
 *   reason
 */
export async function readCertificate(file: ReadingOrder, caller: ThreadCaller): Promise<CertificateFile> {
  if (file.bytes.length > limits.MAX_FILE_BYTES) throw refusal("too_large");
  return queue.run(caller, () => readInThread(file, caller));
}

/** @throws ApiError invalid_certificate with the reason; the signal's reason */
export async function readInThread(
  file: ReadingOrder,
  { timeoutMs = READING_TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<CertificateFile> {
  const worker = new Worker(new URL("./reading-worker.ts", import.meta.url), {
    ...UNTRUSTED_THREAD,
    workerData: file,
  });
  return resultOfThread<ReadingMessage, CertificateFile>(worker, {
    timeoutMs,
    signal,
    exhausted: () => refusal("read_error"),
    message(message, { resolve, reject }) {
      if (message.kind === "read") resolve(message.file);
      else reject(refusal(message.reason));
    },
  });
}
