import "server-only";
import { setTimeout } from "node:timers/promises";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { invalidField } from "@/lib/kernel/errors";
import { storage } from "@/lib/storage";
import { StorageError, type StoredObject } from "@/lib/storage/driver";
import { discardFiles } from "@/lib/storage/files";
import { findUpload, finishUpload, type UploadRow, uploadTarget } from "../data";
import { orderedParts, UPLOAD_MS } from "../rules";
import { completedUploadSchema, completeUploadInput } from "../schema";

/** How long to wait for another instance that is completing the same upload, and how often to check. */
const PEER_COMPLETION = { timeoutMs: 30_000, pollMs: 200 };

/**
 * Joins the parts in the store. If the parts are missing but the upload exists, another instance is joining them, and
 * its result is awaited.
 * @param again reloads the upload; null if it was aborted
 * @throws ApiError validation_failed if the store holds other parts; the upload stays open
 */
async function join(
  upload: UploadRow,
  parts: { number: number; etag: string }[],
  again: () => Promise<UploadRow | null>,
): Promise<StoredObject> {
  const ordered = orderedParts({ size: Number(upload.size), partSize: upload.partSize }, parts);
  const until = performance.now() + PEER_COMPLETION.timeoutMs;
  for (;;) {
    try {
      return await storage().completeMultipart(upload.file.storageKey, upload.storeUploadId, ordered);
    } catch (error) {
      const failure = error instanceof StorageError ? error.failure : null;
      if (failure === "invalid_parts") throw invalidField("parts", "uploadParts");
      if (failure !== "missing" || performance.now() > until) throw error;
    }
    const joined = joinedContent(orNotFound(await again()));
    if (joined) return joined;
    await setTimeout(PEER_COMPLETION.pollMs);
  }
}

/** The file of an upload whose parts are joined; null before. */
function joinedContent({ file: { size, sha256 } }: UploadRow): StoredObject | null {
  return sha256 === null ? null : { size: Number(size), sha256 };
}

/**
 * Ends an upload: joins its parts and takes the SHA-256 of the whole. A file that differs from the announcement is
 * deleted. The file waits 24 hours to be published; until then, completing again gives the same answer.
 */
export const completeUpload = defineCommand({
  area: "files",
  name: "complete-upload",
  summary: "Join the parts of an upload",
  access: { own: "upload", anyTarget: "release:create" },
  input: completeUploadInput,
  output: completedUploadSchema,
  status: 200,
  errors: [],
  audit: { table: "Upload", action: "complete" },
  maxJsonBytes: 2560 * 1024,
  target: ({ uploadId }, db, _actor, { now }) => uploadTarget(db, uploadId, now),
  async prepare({ input, target: { upload }, db, request }) {
    const joined = joinedContent(upload);
    if (joined) return joined;

    const content = await join(upload, input.parts, () => findUpload(db, upload.id, request.now));
    if (content.size !== Number(upload.size) || (upload.sha256 !== null && upload.sha256 !== content.sha256)) {
      const { id: fileId, storageKey } = upload.file;
      await discardFiles([{ fileId, storageKey }]);
      throw invalidField("sha256", "checksumMismatch");
    }
    return content;
  },
  async handler({ tx, target: { upload }, prepared: content, request }) {
    const { size, sha256 } = content;
    await finishUpload(tx, upload, content, new Date(request.now.getTime() + UPLOAD_MS));
    return {
      output: { fileId: upload.fileId, size, sha256 },
      audit: {
        recordId: upload.id,
        changes: { fileId: [null, upload.fileId], size: [null, size], sha256: [null, sha256] },
      },
    };
  },
});
