import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentTarget } from "@/lib/features/environments/data";
import { binJob } from "@/lib/jobs/bin";
import { enqueue } from "@/lib/jobs/queue";
import { expireBin } from "../data/bin";
import { emptyBinInput, emptyBinOutput } from "../schema";

/** Deletes releases of the bin of an environment for good, or all of them. A job removes their files. */
export const emptyBin = defineCommand({
  area: "retention",
  name: "empty-bin",
  summary: "Delete releases in the bin for good",
  access: "release:delete",
  input: emptyBinInput,
  output: emptyBinOutput,
  status: 202,
  errors: [],
  audit: { table: "Release", action: "delete-for-good" },
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input: { environmentId, ids }, tx, request }) {
    const emptied = await expireBin(tx, environmentId, ids ?? null, request.now);
    await enqueue(tx, binJob, {});
    const [only] = ids ?? [];
    return {
      output: emptied,
      audit: {
        recordId: ids?.length === 1 && only !== undefined ? only : environmentId,
        changes: changesBetween({ environmentId, ...emptied }, null),
      },
    };
  },
});
