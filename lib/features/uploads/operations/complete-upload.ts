import "server-only";
import { setTimeout } from "node:timers/promises";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { invalidField } from "@/lib/kernel/errors";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import { storage } from "@/lib/storage";
import { StorageError, type StoredObject } from "@/lib/storage/driver";
import { discardFiles } from "@/lib/storage/files";
import { isSameUpload } from "@/lib/storage/upload-id";
import { findUpload, finishUpload, recordJoining, type UploadRow, uploadTarget } from "../data";
import { beginAgain, isLost } from "../internal/lost-upload";
import { orderedParts, UPLOAD_MS } from "../rules";
import { completedUploadSchema, completeUploadInput } from "../schema";

/** How long to wait for another instance that is completing the same upload, and how often to check. */
const PEER_COMPLETION = { timeoutMs: 30_000, pollMs: 200 };

/**
 * Joins the parts in the store. If the parts are missing and another call has begun to join them, its result is awaited.
 * If there is none, and the store has not kept the parts either, the upload begins again.
 * @throws ApiError validation_failed if the store holds other parts, or none any more; the upload stays open
 */
async function join(
  db: Db,
  target: UploadRow,
  parts: { number: number; etag: string }[],
  { actor, now }: { actor: AuthenticatedActor; now: Date },
): Promise<StoredObject> {
  const ordered = orderedParts({ size: Number(target.size), partSize: target.partSize }, parts);
  const { upload, wasBegun } = orNotFound(await recordJoining(db, target, ordered, now));
  if (!isSameUpload(upload.storeUploadId, target.storeUploadId)) throw invalidField("parts", "uploadParts");
  const until = performance.now() + (wasBegun ? PEER_COMPLETION.timeoutMs : 0);
  for (;;) {
    const takeOver = performance.now() >= until;
    try {
      const { file, storeUploadId } = upload;
      return await storage().completeMultipart(file.storageKey, storeUploadId, ordered, { takeOver });
    } catch (error) {
      const failure = error instanceof StorageError ? error.failure : null;
      if (failure === "invalid_parts") {
        if (await isLost(upload)) await beginAgain(db, upload, actor);
        throw invalidField("parts", "uploadParts");
      }
      if (failure !== "missing") throw error;
    }
    const joined = joinedContent(orNotFound(await findUpload(db, upload.id, now)));
    if (joined) return joined;
    if (takeOver) {
      await beginAgain(db, upload, actor);
      throw invalidField("parts", "uploadParts");
    }
    await setTimeout(PEER_COMPLETION.pollMs);
  }
}

/** The file of an upload whose parts are joined; null before. */
function joinedContent({ file: { size, sha256 } }: UploadRow): StoredObject | null {
  return sha256 === null ? null : { size: Number(size), sha256 };
}

/**
 * Ends an upload: joins its parts and takes the SHA-256 of the whole. If the store has lost them, `get-upload` tells
 * where to send them again. A file that differs from the announcement is deleted. The file waits 24 hours to be published; until
 * then, completing again gives the same answer, also without parts.
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
  async prepare({ input, target: { upload }, actor, db, request }) {
    const joined = joinedContent(upload);
    if (joined) return joined;

    const content = await join(db, upload, input.parts, { actor, now: request.now });
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
