import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { env } from "@/lib/kernel/env";
import { groupsOfEnvironment } from "../data/distributions";
import { distributionGroupsOutput, getDistributionGroupsInput } from "../schema";

/** The groups of testers that releases of an environment can be distributed to. It does not say who is in them. */
export const getDistributionGroups = defineQuery({
  area: "testers",
  name: "get-distribution-groups",
  summary: "List the groups of testers for releases of an environment",
  access: "release:update",
  input: getDistributionGroupsInput,
  output: distributionGroupsOutput,
  errors: [],
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  handler: async ({ target, db }) => ({
    mail: env.SMTP_URL !== undefined,
    items: await groupsOfEnvironment(db, target),
  }),
});
