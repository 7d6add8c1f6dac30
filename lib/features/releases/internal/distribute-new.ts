import "server-only";
import type { Db } from "@/lib/db/client";
import { holdNamedGroups } from "@/lib/features/testers/data/distributions";
import { requestRecipients } from "@/lib/jobs/distributions";
import { createDistribution } from "@/lib/testers/distributions";

/**
 * Distributes releases that were just published to the groups that the caller names, if any.
 * @param told.groups names or IDs
 * @throws ApiError validation_failed if there is no such group for releases of the environment
 */
export async function distributeNew(
  tx: Db,
  place: { appId: string; environmentId: string },
  releaseIds: readonly string[],
  told: {
    groups: readonly string[];
    notify: boolean;
    by: { createdByUser?: string; createdByToken?: string };
    now: Date;
  },
): Promise<void> {
  const { groups, ...more } = told;
  if (groups.length === 0 || releaseIds.length === 0) return;
  const groupIds = await holdNamedGroups(tx, place, groups);
  for (const releaseId of releaseIds) await createDistribution(tx, { releaseId, groupIds, ...more });
  await requestRecipients(tx);
}
