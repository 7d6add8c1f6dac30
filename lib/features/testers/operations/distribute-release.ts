import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { creatorColumns, holdRelease, releaseTarget } from "@/lib/features/releases/data/releases";
import { requestRecipients } from "@/lib/jobs/distributions";
import { createDistribution } from "@/lib/testers/distributions";
import { findDistribution, holdGroups } from "../data/distributions";
import { distributeReleaseInput, distributionSchema } from "../schema";

/**
 * Distributes a release to groups of testers. Their members without an account may open and install it from now on, and all are told
 * by a job, each once, unless `notify` is false.
 */
export const distributeRelease = defineCommand({
  area: "testers",
  name: "distribute-release",
  summary: "Tell groups of testers about a release",
  access: "release:update",
  input: distributeReleaseInput,
  output: distributionSchema,
  status: 202,
  errors: [],
  audit: { table: "Release", action: "distribute" },
  target: ({ releaseId }, db) => releaseTarget(db, releaseId),
  async handler({ input: { releaseId, groupIds, notify }, actor, target, tx, request }) {
    await holdRelease(tx, releaseId);
    await holdGroups(tx, target, groupIds);
    const facts = { releaseId, groupIds, notify };
    const id = await createDistribution(tx, { ...facts, by: creatorColumns(actor), now: request.now });
    await requestRecipients(tx);
    return {
      output: orNotFound(await findDistribution(tx, id)),
      audit: { recordId: releaseId, changes: changesBetween(null, { groupIds, notify }) },
    };
  },
});
