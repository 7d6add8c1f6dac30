import "server-only";
import type { Db } from "@/lib/db/client";
import { appTarget } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import type { Target } from "@/lib/permissions/authorize";

/** Loads the environment, or the app, that an input names; null if the environment is not of the app. */
export async function environmentOrAppTarget(
  db: Db,
  { appId, environmentId }: { appId?: string; environmentId?: string },
): Promise<Target | null> {
  if (environmentId === undefined) return appTarget(db, appId as string);
  const target = await environmentTarget(db, environmentId);
  return appId === undefined || target?.appId === appId ? target : null;
}
