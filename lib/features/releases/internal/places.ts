import "server-only";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import type { Actor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { sightOf } from "@/lib/permissions/visibility";
import { readableEnvironments } from "../data/lists";

/** Loads the environment, or the app, that an input names; null if the environment is not of the app. */
export async function environmentOrAppTarget(
  db: Db,
  { appId, environmentId }: { appId?: string; environmentId?: string },
): Promise<Target | null> {
  if (environmentId === undefined) return appTarget(db, appId as string);
  const target = await environmentTarget(db, environmentId);
  return appId === undefined || target?.appId === appId ? target : null;
}

/** The IDs of the target's environment, or of those of its app in which the caller can read releases. */
export async function environmentsToRead(
  db: Db,
  actor: Actor,
  { appId, environmentId }: Pick<Target, "appId" | "environmentId">,
): Promise<string[]> {
  if (environmentId) return [environmentId];
  return (await readableEnvironments(db, sightOf(actor, "release:read"), { appId })).map(({ id }) => id);
}
