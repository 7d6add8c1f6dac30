import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { findRetention, toRetention } from "../data/rules";
import { getRetentionInput, retentionSchema } from "../schema";

/** Which releases of an environment stay. Without a rule, all do. */
export const getRetention = defineQuery({
  area: "retention",
  name: "get-retention",
  summary: "Get which releases of an environment are kept",
  access: "environment:write",
  input: getRetentionInput,
  output: retentionSchema,
  errors: [],
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  async handler({ input: { environmentId }, db }) {
    return toRetention(environmentId, await findRetention(db, environmentId));
  },
});
