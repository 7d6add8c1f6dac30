import "server-only";
import { found } from "@/lib/api/list";
import { defineQuery } from "@/lib/api/operation";
import { storage } from "@/lib/storage";
import { findUpload } from "../data";
import { partUrls } from "../part-urls";
import { partNumbers } from "../rules";
import { uploadIdInput, uploadStateSchema } from "../schema";

/** How far an upload of one's own has come: what to send after a crash or a lost connection. */
export const getUpload = defineQuery({
  area: "files",
  name: "get-upload",
  summary: "How far an upload has come",
  access: { somewhere: "release:create" },
  input: uploadIdInput,
  output: uploadStateSchema,
  errors: ["not_found"],
  async handler({ input, actor, db, request }) {
    const upload = found(await findUpload(db, actor, input.uploadId, request.now));
    const { storageKey, sha256, id: fileId } = upload.file;
    const shape = { size: Number(upload.size), partSize: upload.partSize };
    const state = { uploadId: upload.id, ...shape };
    if (sha256 !== null) return { ...state, parts: [], missing: [], fileId };

    const arrived = await storage().listParts(storageKey, upload.storeUploadId);
    const parts = arrived.map(({ number, etag }) => ({ number, etag }));
    const there = new Set(parts.map(({ number }) => number));
    const numbers = partNumbers(shape).filter((number) => !there.has(number));
    const missing = await partUrls({ ...upload, storageKey }, numbers, request.now);
    return { ...state, parts, missing, fileId: null };
  },
});
