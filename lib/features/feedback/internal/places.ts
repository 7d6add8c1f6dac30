import "server-only";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import { readableEnvironments } from "@/lib/features/releases/data/read-places";
import { releaseTarget } from "@/lib/features/releases/data/releases";
import type { Actor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { sightOf } from "@/lib/permissions/visibility";

interface Place {
  releaseId?: string | undefined;
  environmentId?: string | undefined;
  appId?: string | undefined;
}

function narrowestTarget(from: Db, { releaseId, environmentId, appId }: Place): Promise<Target | null> {
  if (releaseId !== undefined) return releaseTarget(from, releaseId);
  return environmentId === undefined ? appTarget(from, appId as string) : environmentTarget(from, environmentId);
}

/** Loads the release, environment or application that an input names; null if they do not belong together. */
export async function placeTarget(from: Db, place: Place): Promise<Target | null> {
  const target = await narrowestTarget(from, place);
  if (place.appId !== undefined && target?.appId !== place.appId) return null;
  if (place.environmentId !== undefined && target?.environmentId !== place.environmentId) return null;
  return target;
}

/** The IDs of the target's environment, or of those of its application in which the caller reads releases. */
export async function environmentsToRead(
  from: Db,
  actor: Actor,
  { appId, environmentId }: Pick<Target, "appId" | "environmentId">,
): Promise<string[]> {
  if (environmentId !== null) return [environmentId];
  return (await readableEnvironments(from, sightOf(actor, "release:read"), { appId })).map(({ id }) => id);
}
