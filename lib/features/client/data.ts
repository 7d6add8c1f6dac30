import "server-only";
import type { Db } from "@/lib/db/client";
import { type EnvironmentTarget, environmentTarget } from "@/lib/features/environments/data";
import type { TokenActor } from "@/lib/permissions/actor";

/** The environment of the API token that calls. */
export function clientTarget(db: Db, actor: TokenActor): Promise<EnvironmentTarget | null> {
  return environmentTarget(db, actor.environmentId);
}
