import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { ApiError } from "@/lib/kernel/errors";
import { scopesFor } from "@/lib/permissions/authorize";
import { meetsSecondFactor } from "@/lib/permissions/second-factor";
import { readDifferences } from "../data/differences";
import { accessToKind } from "../data/entries";
import { toDiffItem } from "../rules";
import { configurationDiffInput, configurationDiffSchema, ENTRY_KINDS, MAX_DIFF_BYTES } from "../schema";

/**
 * What differs between two versions of an environment's configuration. Secrets are neither compared nor shown, and the details of
 * certificates are shown to those who may list them.
 */
export const getConfigurationDiff = defineQuery({
  area: "apps",
  name: "get-configuration-diff",
  summary: "Compare two versions of an environment’s configuration",
  access: "environment:read",
  input: configurationDiffInput,
  output: configurationDiffSchema,
  errors: ["not_found"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  target: (input, db) => environmentTarget(db, input.environmentId),
  async handler({ input, actor, target, request, db }) {
    const { appId, environmentId } = target;
    const latest = target.environment.configurationVersion;
    const [from, to] = [input.from, input.to].map((version) => (version === "current" ? latest : version)) as [
      number,
      number,
    ];
    if (Math.max(from, to) > latest) throw new ApiError("not_found");
    const range = { environmentId, from, to, kinds: ENTRY_KINDS, maxValueBytes: MAX_DIFF_BYTES };
    const { differences, valuesOmitted } = await readDifferences(db, range);
    const held = scopesFor(actor, { appId, environmentId });
    const certificates = accessToKind("secure-certificate", "read");
    const shows = {
      values: !valuesOmitted && held.includes("dev-variable:read"),
      details: held.includes(certificates.access) && meetsSecondFactor(certificates.secondFactor, actor, request.now),
    };
    const items = differences.map((difference) => toDiffItem(difference, shows));
    return { from, to, items, ...(valuesOmitted && { valuesOmitted }) };
  },
});
