import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { beginAgain } from "@/lib/features/uploads/internal/lost-upload";
import { partUrls } from "@/lib/features/uploads/internal/part-urls";
import { storage } from "@/lib/storage";
import { JOINED, StorageError } from "@/lib/storage/driver";
import { isBeingJoined } from "@/lib/storage/upload-id";
import { findUpload, type UploadRow, uploadTarget } from "../data";
import { partNumbers } from "../rules";
import { uploadIdInput, uploadStateSchema } from "../schema";

/**
 * The parts that the store holds. Once their joining has begun, the object stands for all of them, and completing the
 * upload ends it or finds that they are lost.
 * @returns null if the store has lost the upload
 */
async function arrivedParts(
  upload: UploadRow,
  numbers: readonly number[],
): Promise<{ number: number; etag: string }[] | null> {
  const { storageKey } = upload.file;
  try {
    const parts = await storage().listParts(storageKey, upload.storeUploadId);
    return parts.map(({ number, etag }) => ({ number, etag }));
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== "missing") throw error;
    const mayBeJoined =
      isBeingJoined(upload.storeUploadId) || (await storage().head(storageKey))?.size === Number(upload.size);
    return mayBeJoined ? numbers.map((number) => ({ number, etag: JOINED })) : null;
  }
}

/**
 * How far an upload of one's own has come: what to send after a crash or a lost connection. If the store has lost the
 * upload, it is all of the parts, to new URLs.
 */
export const getUpload = defineQuery({
  area: "files",
  name: "get-upload",
  summary: "Get the progress of an upload",
  access: { own: "upload", anyTarget: "release:create" },
  input: uploadIdInput,
  output: uploadStateSchema,
  errors: [],
  target: ({ uploadId }, db, _actor, { now }) => uploadTarget(db, uploadId, now),
  async handler({ target: { upload: found }, request, db }) {
    const shape = { size: Number(found.size), partSize: found.partSize };
    const state = { uploadId: found.id, ...shape };
    if (found.file.sha256 !== null) return { ...state, parts: [], missing: [], fileId: found.fileId };

    const numbers = partNumbers(shape);
    const arrived = await arrivedParts(found, numbers);
    const upload = arrived
      ? found
      : ((await beginAgain(db, found)) ?? orNotFound(await findUpload(db, found.id, request.now)));
    const parts = arrived ?? [];
    const there = new Set(parts.map(({ number }) => number));
    const absent = numbers.filter((number) => !there.has(number));
    const missing = await partUrls({ ...upload, storageKey: upload.file.storageKey }, absent, request.now);
    return { ...state, parts, missing, fileId: null };
  },
});
