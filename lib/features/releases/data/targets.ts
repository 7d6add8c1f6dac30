import "server-only";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import { type EnvironmentPlace, environmentTarget } from "@/lib/features/environments/data";
import type { Target } from "@/lib/permissions/authorize";
import { releaseTarget } from "./releases";
import type { ReleaseRow } from "./rows";

/** A release, an environment or an application, as inputs name them. At least one is required. */
interface Place {
  releaseId?: string | undefined;
  environmentId?: string | undefined;
  appId?: string | undefined;
}

/** A place as the target of a call, with its row if it is a release. */
export interface PlaceTarget extends Target {
  release?: ReleaseRow;
}

function narrowestTarget(from: Db, { releaseId, environmentId, appId }: Place): Promise<PlaceTarget | null> {
  if (releaseId !== undefined) return releaseTarget(from, releaseId);
  return environmentId === undefined ? appTarget(from, appId as string) : environmentTarget(from, environmentId);
}

/** Loads the narrowest place that an input names as the target of a call; null if it does not exist or is not part of the others. */
export function targetOfPlace(
  from: Db,
  place: Omit<Place, "appId"> & { appId?: undefined },
): Promise<(PlaceTarget & EnvironmentPlace) | null>;
export function targetOfPlace(from: Db, place: Place): Promise<PlaceTarget | null>;
export async function targetOfPlace(from: Db, place: Place): Promise<PlaceTarget | null> {
  const target = await narrowestTarget(from, place);
  if (place.appId !== undefined && target?.appId !== place.appId) return null;
  if (place.environmentId !== undefined && target?.environmentId !== place.environmentId) return null;
  return target;
}
