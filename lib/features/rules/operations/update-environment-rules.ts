import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { environmentTarget } from "@/lib/features/environments/data";
import { lockRules, saveRules, toEnvironmentRules } from "../data";
import { environmentRulesSchema, updateEnvironmentRulesInput } from "../schema";

/**
 * Changes what builds must fulfil to be published in an environment, on every way: by upload, by the tool, by clients of other
 * products and by promotion. Releases that are there stay.
 */
export const updateEnvironmentRules = defineCommand({
  area: "apps",
  name: "update-environment-rules",
  summary: "Change the rules for the builds of an environment; what is left out stays as it is",
  access: "environment:write",
  input: updateEnvironmentRulesInput,
  output: environmentRulesSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "EnvironmentRules", action: "update" },
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input, tx }) {
    const { environmentId, ifUpdatedAt, ...changed } = input;
    const before = await lockRules(tx, environmentId);
    requireUnchanged(before, ifUpdatedAt);
    const after = await saveRules(tx, environmentId, { ...before.rules, ...changed });
    return {
      output: toEnvironmentRules(environmentId, after),
      audit: { recordId: environmentId, changes: changesBetween(before.rules, after.rules) },
    };
  },
});
