import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { toRelease } from "@/lib/features/releases/data/answers";
import { lockRelease } from "@/lib/features/releases/data/releases";
import { releaseSchema } from "@/lib/features/releases/schema";
import { ApiError } from "@/lib/kernel/errors";
import { restoreFromBin } from "@/lib/storage/bin";
import { binnedTarget } from "../data/bin";
import { restoreReleaseInput } from "../schema";

/** Restores a release from the bin with its downloads, openings and share links. */
export const restoreRelease = defineCommand({
  area: "retention",
  name: "restore-release",
  summary: "Restore a release from the bin",
  access: "release:delete",
  input: restoreReleaseInput,
  output: releaseSchema,
  status: 200,
  errors: [],
  audit: { table: "Release", action: "restore" },
  target: ({ id }, db, _actor, { now }) => binnedTarget(db, id, now),
  missingTarget: async () => ({ detailKey: "detailBin", params: {} }),
  async handler({ input: { id }, target, tx, request }) {
    // It was restored, or deleted for good, at the same moment.
    if (!(await restoreFromBin(tx, id, request.now))) throw new ApiError("not_found", { detailKey: "detailBin" });
    const release = orNotFound(await lockRelease(tx, id));
    const { version, buildNumber, displayName } = target.binned;
    const facts = { environmentId: target.environmentId, version, buildNumber, displayName, keep: release.keep };
    return {
      output: toRelease(release),
      audit: { recordId: id, changes: changesBetween(null, facts) },
    };
  },
});
