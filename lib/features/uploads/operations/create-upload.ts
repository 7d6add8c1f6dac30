import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { partUrls } from "@/lib/features/uploads/internal/part-urls";
import { tooLarge } from "@/lib/http/body";
import { env } from "@/lib/kernel/env";
import { newId } from "@/lib/kernel/ids";
import { actorId, ownerOf, sharerOf } from "@/lib/permissions/actor";
import { beginUpload } from "@/lib/storage/files";
import { findPublishedBytes, createUpload as insert, requireFewOpen, requireInstallerName } from "../data";
import { MAX_PARTS_BYTES, partNumbers, partSizeFor, UPLOAD_MS } from "../rules";
import { createUploadInput, createUploadOutput } from "../schema";

const CONTENT_TYPE = "application/octet-stream";

/**
 * Begins the upload of an installer, or of a further file of a release, in parts, which may be sent at the same time, in any order, and again. It lives for
 * 24 hours. Where the caller may download a release with these very bytes (by their SHA-256), nothing needs to be sent:
 * the answer is their `fileId` alone. A user or token may have 200 uploads open, which may announce four
 * times the largest file together.
 */
export const createUpload = defineCommand({
  area: "files",
  name: "create-upload",
  summary:
    "Begin the upload of an installer or another file of a release in parts, or get the ID of an installer that the caller may already download",
  access: { anyTarget: "release:create" },
  input: createUploadInput,
  output: createUploadOutput,
  status: 200,
  errors: ["file_too_large", "unsupported_media_type", "too_many_uploads"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  audit: { table: "Upload", action: "create" },
  async prepare({ input, actor, db, request, stored }) {
    const { name, size, sha256, purpose } = input;
    if (purpose === "installer") requireInstallerName(name);
    const maxBytes = Math.min(env.MAX_UPLOAD_BYTES, MAX_PARTS_BYTES);
    if (input.size > maxBytes) throw tooLarge(maxBytes);
    const published = purpose === "installer" && sha256 && (await findPublishedBytes(db, actor, { sha256, size }));
    if (published) return { published };

    await requireFewOpen(db, ownerOf(actor), size, request.now);
    const partSize = partSizeFor(size);
    const begun = await beginUpload({
      name,
      contentType: CONTENT_TYPE,
      purpose,
      createdBy: actorId(actor),
      sharer: sharerOf(actor),
      size,
      partSize,
    });
    stored(begun);
    const { fileId, storageKey, storeUploadId } = begun;
    const expiresAt = new Date(request.now.getTime() + UPLOAD_MS);
    const upload = { id: newId(), fileId, storeUploadId, partSize, sha256, expiresAt, createdAt: request.now };
    const parts = await partUrls({ ...upload, storageKey }, partNumbers({ size, partSize }), request.now);
    return { published: null, upload, parts };
  },
  async handler({ input, actor, tx, prepared }) {
    const changes = changesBetween(null, input);
    if (prepared.published) {
      const { fileId } = prepared.published;
      return { output: { fileId }, audit: { action: "reuse", recordId: fileId, changes } };
    }
    const { upload, parts } = prepared;
    await insert(tx, { ...upload, size: BigInt(input.size), createdBy: ownerOf(actor) });
    return {
      output: { uploadId: upload.id, partSize: upload.partSize, parts },
      audit: { recordId: upload.id, changes },
    };
  },
});
