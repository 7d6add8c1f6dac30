import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { releaseFiles, removeFile } from "@/lib/storage/files";
import { toRelease } from "../data/answers";
import { deleteRelease, lockRelease, releaseTarget } from "../data/releases";
import { deletedEvent } from "../internal/release-events";
import { releaseIdInput } from "../schema";

/** Deletes a release, and its installer and icon if nothing else refers to them. */
export const deleteTestingDeploy = defineCommand({
  area: "apps",
  name: "delete-testing-deploy",
  summary: "Delete a release",
  access: "release:delete",
  input: releaseIdInput,
  output: z.undefined(),
  status: 204,
  errors: [],
  audit: { table: "Release", action: "delete" },
  target: (input, db) => releaseTarget(db, input.id),
  async handler({ input, actor, tx, after }) {
    const release = await lockRelease(tx, input.id);
    await deleteRelease(tx, release.id);
    const files = await releaseFiles(tx, [release.fileId, release.iconFileId]);
    after(async () => {
      for (const { fileId, storageKey } of files) await removeFile(fileId, storageKey);
    });
    const { version, buildNumber, identifier, description, fileName, size, sha256 } = toRelease(release);
    const facts = { environmentId: release.environmentId, version, buildNumber, identifier, description };
    return {
      output: undefined,
      audit: { recordId: release.id, changes: changesBetween({ ...facts, fileName, size, sha256 }, null) },
      events: [deletedEvent(release, actor)],
    };
  },
});
