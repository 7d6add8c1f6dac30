import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .toLowerCase();

/** What an upload is for: a release, or a further file of one (`create-release-file`). */
const uploadPurpose = z.enum(["installer", "attachment"]);

export const createUploadInput = z.strictObject({
  /** The file's name with its extension. */
  name: z.string().trim().min(1).max(255),
  /** Bytes. */
  size: z.number().int().min(1),
  /** Of the whole file, in hex. */
  sha256: sha256.optional(),
  purpose: uploadPurpose.default("installer"),
});

const partUrl = z.object({
  number: z.number().int(),
  /** Where the part's bytes are PUT to: a URL of the store, or a path of this server for the caller's own credentials. */
  url: z.union([z.url(), z.string().startsWith("/api/")]),
});

/** A new upload, or the file with these very bytes that is there already. */
export const createUploadOutput = z.union([
  z.object({
    uploadId: idSchema,
    /** Bytes of each part but the last, which has the rest. */
    partSize: z.number().int(),
    parts: z.array(partUrl),
  }),
  z.object({ fileId: idSchema }),
]);

export const uploadIdInput = z.strictObject({ uploadId: idSchema });

const etag = z.string().min(1).max(200);
const arrivedPart = z.object({ number: z.number().int(), etag: z.string() });

export const uploadStateSchema = z.object({
  uploadId: idSchema,
  partSize: z.number().int(),
  /** Bytes of the whole file. */
  size: z.number().int(),
  /** Those that have arrived whole. */
  parts: z.array(arrivedPart),
  /** The others, with fresh URLs. */
  missing: z.array(partUrl),
  /** The finished file; null while parts are missing or not joined. */
  fileId: idSchema.nullable(),
});

export const uploadPartInput = z.strictObject({
  uploadId: idSchema,
  number: z.coerce.number().int().min(1).max(MAX_PARTS),
});

export const uploadedPartSchema = z.object({ etag: z.string() });

export const completeUploadInput = z.strictObject({
  uploadId: idSchema,
  /** All parts, as `get-upload` answers them. An upload that is completed needs none. */
  parts: z.array(z.strictObject({ number: z.number().int().min(1).max(MAX_PARTS), etag })).max(MAX_PARTS),
});

export const completedUploadSchema = z.object({
  fileId: idSchema,
  /** Bytes. */
  size: z.number().int(),
  /** Lower-case hex. */
  sha256: z.string(),
});
