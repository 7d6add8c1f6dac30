import "server-only";
import { defineRawUpload } from "@/lib/api/operation";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { storage } from "@/lib/storage";
import { StorageError } from "@/lib/storage/driver";
import { isOpenUpload, uploadTarget } from "../data";
import { partLength } from "../rules";
import { uploadedPartSchema, uploadPartInput } from "../schema";

/**
 * Takes one part of an upload as the raw body, of exactly the part's length. Sent again, it replaces what was there. With
 * an S3 store, clients send parts to the URLs of the store, which is faster.
 */
export const uploadPart = defineRawUpload({
  area: "files",
  name: "upload-part",
  summary: "Send one part of an upload",
  access: { own: "upload", anyTarget: "release:create" },
  input: uploadPartInput,
  output: uploadedPartSchema,
  errors: [],
  target: ({ uploadId }, db, _actor, { now }) => uploadTarget(db, uploadId, now),
  async handler({ input: { number }, target: { upload }, request, body, contentLength }) {
    if (!isOpenUpload(upload)) throw new ApiError("not_found");
    const { storeUploadId, partSize, size, file } = upload;
    const length = partLength({ size: Number(size), partSize }, number);
    if (length === undefined) throw invalidField("number", "uploadParts");
    const wrongLength = () => invalidField("number", "partLength", { limit: length });
    if (contentLength !== null && contentLength !== length) throw wrongLength();
    try {
      const { signal, requestId } = request;
      const { etag } = await storage().putPart(file.storageKey, storeUploadId, number, body, { signal, requestId });
      return { etag };
    } catch (error) {
      if (!(error instanceof StorageError)) throw invalidField("number", "incompleteUpload");
      throw error.failure === "invalid_parts" ? wrongLength() : error;
    }
  },
});
