import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { partUrls } from "@/lib/features/uploads/internal/part-urls";
import { storage } from "@/lib/storage";
import { JOINED, StorageError } from "@/lib/storage/driver";
import { type UploadRow, uploadTarget } from "../data";
import { partNumbers } from "../rules";
import { uploadIdInput, uploadStateSchema } from "../schema";

/**
 * The parts that the store holds. Where a crash came between their joining and the note of it, the object stands for
 * all of them: completing the upload again ends it.
 */
async function arrivedParts(upload: UploadRow, numbers: number[]): Promise<{ number: number; etag: string }[]> {
  const { storageKey } = upload.file;
  try {
    const parts = await storage().listParts(storageKey, upload.storeUploadId);
    return parts.map(({ number, etag }) => ({ number, etag }));
  } catch (error) {
    const isGone = error instanceof StorageError && error.failure === "missing";
    if (!isGone || (await storage().head(storageKey))?.size !== Number(upload.size)) throw error;
    return numbers.map((number) => ({ number, etag: JOINED }));
  }
}

/** How far an upload of one's own has come: what to send after a crash or a lost connection. */
export const getUpload = defineQuery({
  area: "files",
  name: "get-upload",
  summary: "Get the progress of an upload",
  access: { own: "upload", anyTarget: "release:create" },
  input: uploadIdInput,
  output: uploadStateSchema,
  errors: [],
  target: ({ uploadId }, db, _actor, { now }) => uploadTarget(db, uploadId, now),
  async handler({ target: { upload }, request }) {
    const { storageKey, sha256, id: fileId } = upload.file;
    const shape = { size: Number(upload.size), partSize: upload.partSize };
    const state = { uploadId: upload.id, ...shape };
    if (sha256 !== null) return { ...state, parts: [], missing: [], fileId };

    const numbers = partNumbers(shape);
    const parts = await arrivedParts(upload, numbers);
    const there = new Set(parts.map(({ number }) => number));
    const absent = numbers.filter((number) => !there.has(number));
    const missing = await partUrls({ ...upload, storageKey }, absent, request.now);
    return { ...state, parts, missing, fileId: null };
  },
});
