import "server-only";
import type { Db } from "@/lib/db/client";
import { groupsWithoutRelease, holdNamedGroups } from "@/lib/features/testers/data/distributions";
import { requestRecipients } from "@/lib/jobs/distributions";
import { createDistribution } from "@/lib/testers/distributions";
import { holdReleases } from "../data/releases";

/**
 * Distributes releases that a call publishes, or finds published, to the groups that the caller names, if any. A group that has a
 * release does not get it again, so that a repeated call tells nobody twice.
 * @param told.groups names or IDs
 * @returns whether a group got a release
 * @throws ApiError validation_failed if there is no such group for releases of the environment; not_found if a release was deleted
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
): Promise<boolean> {
  const { groups, ...more } = told;
  if (groups.length === 0) return false;
  await holdReleases(tx, releaseIds);
  const named = await holdNamedGroups(tx, place, groups);
  let isDistributed = false;
  for (const releaseId of releaseIds) {
    const groupIds = await groupsWithoutRelease(tx, releaseId, named);
    if (groupIds.length === 0) continue;
    await createDistribution(tx, { releaseId, groupIds, ...more });
    isDistributed = true;
  }
  if (isDistributed) await requestRecipients(tx);
  return isDistributed;
}
