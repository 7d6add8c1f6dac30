import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { UploadMemory } from "@/lib/client/upload/uploader";
import type { Context } from "./context";
import { Failure } from "./failure";
import { privateFile, readPrivateJson, writePrivateJson } from "./private-file";

const MAX_RECORDS = 20;
/** Bytes at the start and the end of the file that are hashed. */
const SAMPLE_BYTES = 1024 * 1024;

interface UnfinishedUpload {
  console: string;
  environmentId: string;
  fingerprint: string;
  uploadId: string;
}

/** Identifies a file without reading all of it: by path, size, time of change, and its first and last MiB. */
export function fingerprintOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  const hash = createHash("sha256").update(JSON.stringify([resolve(path), size, mtimeMs]));
  const sample = Buffer.alloc(SAMPLE_BYTES);
  const file = openSync(path, "r");
  try {
    for (const position of [0, Math.max(0, size - SAMPLE_BYTES)]) {
      hash.update(sample.subarray(0, readSync(file, sample, 0, SAMPLE_BYTES, position)));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/**
 * Remembers the unfinished upload of a file to an environment, so that the same command continues it. Where it cannot be
 * stored, such as on a full disk, the upload goes on and cannot be continued later.
 * @param fingerprint identifies the file
 */
export function uploadMemory(
  context: Context,
  fingerprint: string,
  place: { console: string; environmentId: string },
): UploadMemory {
  const file = privateFile(context, "uploads.json");
  const key = { ...place, fingerprint };
  const isThis = (one: UnfinishedUpload) =>
    one.console === key.console && one.environmentId === key.environmentId && one.fingerprint === key.fingerprint;
  const attempt = <T>(run: () => T, otherwise: T): T => {
    try {
      return run();
    } catch (error) {
      if (error instanceof Failure) return otherwise;
      throw error;
    }
  };
  const read = () =>
    attempt(() => (readPrivateJson(file, context.platform) as UnfinishedUpload[] | undefined) ?? [], []);
  const write = (records: UnfinishedUpload[]) =>
    attempt(() => writePrivateJson(file, records.slice(0, MAX_RECORDS)), undefined);
  return {
    find: () => read().find(isThis)?.uploadId ?? null,
    keep: (uploadId) => write([{ ...key, uploadId }, ...read().filter((one) => !isThis(one))]),
    forget: () => {
      const records = read();
      if (records.some(isThis)) write(records.filter((one) => !isThis(one)));
    },
  };
}
