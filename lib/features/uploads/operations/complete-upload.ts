import "server-only";
import { found } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { invalidField } from "@/lib/errors";
import { storage } from "@/lib/storage";
import { StorageError, type StoredObject } from "@/lib/storage/driver";
import { discardFiles } from "@/lib/storage/files";
import { findUpload, finishUpload, type UploadRow } from "../data";
import { orderedParts, UPLOAD_MS } from "../rules";
import { completedUploadSchema, completeUploadInput } from "../schema";

/**
 * Joins the parts in the store.
 * @throws ApiError validation_failed where the store does not hold them like this; the upload goes on
 */
async function join(upload: UploadRow, parts: { number: number; etag: string }[]): Promise<StoredObject> {
  const ordered = orderedParts({ size: Number(upload.size), partSize: upload.partSize }, parts);
  try {
    return await storage().completeMultipart(upload.file.storageKey, upload.storeUploadId, ordered);
  } catch (error) {
    if (error instanceof StorageError && error.failure === "invalid_parts") throw invalidField("parts", "uploadParts");
    throw error;
  }
}

/**
 * Ends an upload: joins its parts and takes the SHA-256 of the whole. A whole that is not what was announced is thrown
 * away. The file waits 24 hours to be published; until then, completing again gives the same answer.
 */
export const completeUpload = defineCommand({
  area: "files",
  name: "complete-upload",
  summary: "Join the parts of an upload",
  access: { somewhere: "release:create" },
  input: completeUploadInput,
  output: completedUploadSchema,
  status: 200,
  errors: ["not_found", "storage_full"],
  audit: { table: "Upload", action: "complete" },
  async prepare({ input, actor, db, request }) {
    const upload = found(await findUpload(db, actor, input.uploadId, request.now));
    const { id: fileId, storageKey, size, sha256 } = upload.file;
    if (sha256 !== null) return { upload, content: { size: Number(size), sha256 } };

    const content = await join(upload, input.parts);
    if (content.size !== Number(upload.size) || (upload.sha256 !== null && upload.sha256 !== content.sha256)) {
      await discardFiles([{ fileId, storageKey }]);
      throw invalidField("sha256", "checksumMismatch");
    }
    return { upload, content };
  },
  async handler({ tx, prepared, request }) {
    const { upload, content } = prepared;
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
