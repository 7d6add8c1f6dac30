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

type StoredPart = { number: number; etag: string };

const shapeOf = ({ size, partSize }: UploadRow) => ({ size: Number(size), partSize });

/**
 * The parts that the store holds. Once their joining has begun, the object stands for all of them, and completing the
 * upload ends it or finds that they are lost.
 * @returns null if the store has lost the upload
 */
async function arrivedParts(upload: UploadRow): Promise<StoredPart[] | null> {
  const { storageKey } = upload.file;
  try {
    const parts = await storage().listParts(storageKey, upload.storeUploadId);
    return parts.map(({ number, etag }) => ({ number, etag }));
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== "missing") throw error;
    const mayBeJoined =
      isBeingJoined(upload.storeUploadId) || (await storage().head(storageKey))?.size === Number(upload.size);
    return mayBeJoined ? partNumbers(shapeOf(upload)).map((number) => ({ number, etag: JOINED })) : null;
  }
}

async function stateWith(upload: UploadRow, parts: StoredPart[], now: Date) {
  const there = new Set(parts.map(({ number }) => number));
  const absent = partNumbers(shapeOf(upload)).filter((number) => !there.has(number));
  const missing = await partUrls({ ...upload, storageKey: upload.file.storageKey }, absent, now);
  return { uploadId: upload.id, ...shapeOf(upload), parts, missing, fileId: null };
}

/** @returns null if the store has lost the upload */
async function stateOf(upload: UploadRow, now: Date) {
  const { id, fileId, file } = upload;
  if (file.sha256 !== null) return { uploadId: id, ...shapeOf(upload), parts: [], missing: [], fileId };
  const parts = await arrivedParts(upload);
  return parts && stateWith(upload, parts, now);
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
  async handler({ target: { upload: found }, actor, request, db }) {
    const state = await stateOf(found, request.now);
    if (state) return state;
    const again = await beginAgain(db, found, actor);
    if (again) return stateWith(again, [], request.now);
    // Another call has begun it again, or has begun to join or end it.
    const changed = orNotFound(await findUpload(db, found.id, request.now));
    return (await stateOf(changed, request.now)) ?? stateWith(changed, [], request.now);
  },
});
