import type { Actor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { reachOf } from "@/lib/permissions/reach";
import type { Scope } from "@/lib/permissions/scopes";
import type { ReleaseReach, ReleaseRow } from "../data";

/** Where a caller can see releases. */
export function releaseReach(actor: Actor): ReleaseReach {
  return { readable: reachOf(actor, "release:read"), writable: reachOf(actor, "environment:write") };
}

/** The environments of some releases, each once with the scopes that the caller holds there. */
export function scopesByEnvironment(actor: Actor, rows: readonly ReleaseRow[]): { id: string; scopes: Scope[] }[] {
  const environments = new Map(rows.map(({ environment }) => [environment.id, environment]));
  return [...environments.values()].map(({ id, app }) => ({
    id,
    scopes: scopesFor(actor, { appId: app.id, environmentId: id }),
  }));
}
