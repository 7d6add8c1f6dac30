import type { Actor, Grant, GroupGrant } from "@/lib/permissions/actor";
import { type Scope, withImplied } from "./scopes";

/** Where an actor holds something: everywhere, or in whole apps and in single environments. */
export type Reach = "all" | { appIds: string[]; environmentIds: string[] };

/** Rights without a caller, such as those of the owner of a feed. */
export interface HeldGrants {
  kind: "grants";
  grants: readonly Grant[];
  groups?: readonly GroupGrant[];
}

/**
 * What an actor reaches, for lists: the same rule as `scopesFor`, turned around.
 * @param scope left out, any scope counts
 */
export function reachOf(actor: Actor | HeldGrants, scope?: Scope): Reach {
  if (actor.kind === "anonymous") return { appIds: [], environmentIds: [] };
  const appIds = new Set<string>();
  const environmentIds = new Set<string>();
  for (const grant of actor.grants) {
    const held = withImplied(grant.scopes);
    if (scope === undefined ? held.length === 0 : !held.includes(scope)) continue;
    if (grant.apps === "all") return "all";
    for (const [appId, environments] of grant.apps) {
      if (environments === "all") appIds.add(appId);
      else for (const environmentId of environments) environmentIds.add(environmentId);
    }
  }
  return { appIds: [...appIds], environmentIds: [...environmentIds] };
}

/**
 * As `reachOf` for any scope, with the environments of the caller's groups: where a caller knows of an environment. It does not mean
 * that they read its releases.
 */
export function knownReachOf(actor: Actor): Reach {
  const reach = reachOf(actor);
  if (reach === "all" || actor.kind !== "user") return reach;
  const { groups } = actor;
  const whole = groups.filter(({ environmentIds }) => environmentIds === "all").map(({ appId }) => appId);
  const single = groups.flatMap(({ environmentIds }) => (environmentIds === "all" ? [] : [...environmentIds]));
  return {
    appIds: [...new Set([...reach.appIds, ...whole])],
    environmentIds: [...new Set([...reach.environmentIds, ...single])],
  };
}
