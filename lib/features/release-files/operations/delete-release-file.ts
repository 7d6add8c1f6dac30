import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { ApiError } from "@/lib/kernel/errors";
import { releaseFiles, removeFile } from "@/lib/storage/files";
import { auditedFile, releaseFileTarget, removeReleaseFile } from "../data";
import { releaseFileIdInput } from "../schema";

/** Deletes a further file of a release for good. What other releases share of it stays in the store. */
export const deleteReleaseFile = defineCommand({
  area: "apps",
  name: "delete-release-file",
  summary: "Delete an additional file of a release",
  access: "release:delete",
  input: releaseFileIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "ReleaseFile", action: "delete" },
  target: ({ id }, db) => releaseFileTarget(db, id),
  async handler({ input: { id }, target: { file }, tx, after }) {
    if (!(await removeReleaseFile(tx, id))) throw new ApiError("not_found");
    const files = await releaseFiles(tx, [file.fileId]);
    after(async () => {
      for (const { fileId, storageKey } of files) await removeFile(fileId, storageKey);
    });
    return { output: undefined, audit: { recordId: id, changes: changesBetween(auditedFile(file), null) } };
  },
});
