import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { storage } from "@/lib/storage";
import { removeFile } from "@/lib/storage/files";
import { abandonUpload, uploadTarget } from "../data";
import { uploadIdInput } from "../schema";

/** Aborts one of the caller's uploads: its parts, or the finished file if it is not published, are removed. */
export const abortUpload = defineCommand({
  area: "files",
  name: "abort-upload",
  summary: "Abort an upload",
  access: { own: "upload", anyTarget: "release:create" },
  input: uploadIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Upload", action: "abort" },
  target: ({ uploadId }, db, _actor, { now }) => uploadTarget(db, uploadId, now),
  async handler({ target: { upload }, tx, after }) {
    const { id: fileId, storageKey } = upload.file;
    if (await abandonUpload(tx, upload)) {
      after(async () => {
        await storage().abortMultipart(storageKey, upload.storeUploadId);
        await removeFile(fileId, storageKey);
      });
    }
    return { output: undefined, audit: { recordId: upload.id, changes: { fileId: [fileId, null] } } };
  },
});
