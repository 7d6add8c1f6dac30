import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { findRules, toEnvironmentRules } from "../data";
import { environmentRulesSchema, getEnvironmentRulesInput } from "../schema";

/** What builds must fulfil to be published in an environment. */
export const getEnvironmentRules = defineQuery({
  area: "apps",
  name: "get-environment-rules",
  summary: "Get the rules for the builds of an environment",
  access: "environment:write",
  input: getEnvironmentRulesInput,
  output: environmentRulesSchema,
  errors: [],
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input: { environmentId }, db }) {
    return toEnvironmentRules(environmentId, await findRules(db, environmentId));
  },
});
