import "server-only";
import { z } from "zod";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { storage } from "@/lib/storage";
import { removeFile } from "@/lib/storage/files";
import { abandonUpload, findUpload } from "../data";
import { uploadIdInput } from "../schema";

/** Gives an upload of one's own up: its parts, or the finished file where it is not published, are removed. */
export const abortUpload = defineCommand({
  area: "files",
  name: "abort-upload",
  summary: "Give an upload up",
  access: { anyTarget: "release:create" },
  input: uploadIdInput,
  output: z.undefined(),
  status: 204,
  errors: ["not_found"],
  audit: { table: "Upload", action: "abort" },
  async handler({ input, actor, tx, request, after }) {
    const upload = orNotFound(await findUpload(tx, actor, input.uploadId, request.now));
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
