import type { Actor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { reachOf } from "@/lib/permissions/reach";
import type { Scope } from "@/lib/permissions/scopes";
import type { ReleaseReach } from "../data";
import type { Release } from "../schema";

/** Where a caller can see releases. */
export function releaseReach(actor: Actor): ReleaseReach {
  return { readable: reachOf(actor, "release:read"), writable: reachOf(actor, "environment:write") };
}

/** The environments of some releases, each once with the scopes that the caller holds there. */
export function scopesByEnvironment(actor: Actor, releases: readonly Release[]): { id: string; scopes: Scope[] }[] {
  const apps = new Map(releases.map(({ app, environment }) => [environment.id, app.id]));
  return [...apps].map(([id, appId]) => ({ id, scopes: scopesFor(actor, { appId, environmentId: id }) }));
}
