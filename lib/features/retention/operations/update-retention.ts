import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentTarget } from "@/lib/features/environments/data";
import { conflict } from "@/lib/kernel/errors";
import { lockRetention, previewRetention, saveRetention, toRetention } from "../data/rules";
import { retentionSchema, updateRetentionInput } from "../schema";

/**
 * Chooses which releases of an environment stay. The daily run moves the others to the bin, a day after it has told those who
 * published them. A rule that leaves nothing is stored only if the caller names how many releases it deletes.
 */
export const updateRetention = defineCommand({
  area: "retention",
  name: "update-retention",
  summary: "Choose which releases of an environment are kept",
  access: "environment:write",
  input: updateRetentionInput,
  output: retentionSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "Retention", action: "update" },
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input, tx, request }) {
    const { environmentId, ifUpdatedAt, confirmReleases, ...changed } = input;
    const before = await lockRetention(tx, environmentId);
    requireUnchanged(before, ifUpdatedAt);
    const wanted = { ...before.rule, ...changed, mayDeleteAll: false };
    const { deletesAll, total } = await previewRetention(tx, environmentId, wanted, request.now);
    if (deletesAll && confirmReleases !== total) {
      throw conflict("confirmReleases", "retentionDeletesAll", { count: total });
    }
    const rule = { ...wanted, mayDeleteAll: deletesAll };
    const due = await previewRetention(tx, environmentId, rule, request.now);
    const after = await saveRetention(tx, environmentId, rule, due);
    return {
      output: toRetention(environmentId, after),
      audit: { recordId: environmentId, changes: changesBetween(before.rule, after.rule) },
    };
  },
});
