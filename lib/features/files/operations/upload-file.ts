import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { type ReceivedFile, receivedFileSchema } from "@/lib/http/received-file";
import { ApiError } from "@/lib/kernel/errors";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { storeImage } from "@/lib/storage/images";
import { type ImageCaller, ImageError } from "@/lib/storage/images/renderer";
import { dropUnusedImages } from "../data";
import { MAX_IMAGE_BYTES, uploadedFileSchema } from "../schema";

const input = z.strictObject({
  kind: z.literal("image").default("image"),
  file: receivedFileSchema,
});

const DETAIL_KEYS = { unreadable: "detailImage", killed: "detailImageTooComplex" } as const;

/** @throws ApiError unsupported_media_type if the image cannot be drawn; unavailable */
async function storeUploadedImage(upload: ReceivedFile, caller: ImageCaller): Promise<ReceivedFile> {
  try {
    return await storeImage(upload, caller);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new ApiError("unsupported_media_type", { detailKey: DETAIL_KEYS[error.reason] });
  }
}

/**
 * Takes a logo or avatar: a PNG, JPEG, WebP or SVG of at most 300,000 bytes, re-drawn so that nothing else is in it. Of
 * the images of one person that nothing uses, the newest are kept.
 */
export const uploadFile = defineCommand({
  area: "files",
  name: "upload-file",
  summary: "Upload a logo or an avatar",
  access: "user",
  input,
  output: uploadedFileSchema,
  status: 201,
  errors: ["file_too_large", "unsupported_media_type"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  audit: { table: "File", action: "upload" },
  file: { field: "file", purpose: "image", maxBytes: () => MAX_IMAGE_BYTES },
  async prepare({ input: { file }, actor, request, stored }) {
    const image = await storeUploadedImage(file, { lane: "upload", id: actor.userId, signal: request.signal });
    stored(image);
    return { ...image, userId: actor.userId };
  },
  async handler({ prepared, tx, after }) {
    after(await dropUnusedImages(tx, prepared.userId));
    return {
      output: {
        fileId: prepared.fileId,
        url: fileUrl(prepared.fileId),
        size: prepared.size,
        sha256: prepared.sha256,
      },
      audit: { recordId: prepared.fileId, changes: { size: [null, prepared.size], sha256: [null, prepared.sha256] } },
    };
  },
});
