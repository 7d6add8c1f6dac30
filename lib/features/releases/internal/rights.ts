import type { Actor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import type { Scope } from "@/lib/permissions/scopes";
import type { Release } from "../schema";

/** The environments of some releases or builds, each once with the scopes that the caller holds there. */
export function scopesByEnvironment(
  actor: Actor,
  releases: readonly Pick<Release, "app" | "environment">[],
): { id: string; scopes: Scope[] }[] {
  const apps = new Map(releases.map(({ app, environment }) => [environment.id, app.id]));
  return [...apps].map(([id, appId]) => ({
    id,
    scopes: scopesFor(actor, { appId, environmentId: id, groups: "any" }),
  }));
}
