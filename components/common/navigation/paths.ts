import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { Scope } from "@/lib/permissions/scopes";

/** The paths to the releases of an environment that a user's scopes allow; null if none. */
export function releasePaths(
  appId: string,
  environment: { id: string; scopes: readonly Scope[] },
): { view: string | null; manage: string | null } {
  const holds = (...scopes: Scope[]) => scopes.some((scope) => environment.scopes.includes(scope));
  return {
    view: holds("release:read") ? contextPath(PAGES.releases, appId, environment.id) : null,
    manage: holds("release:create", "release:update", "release:delete")
      ? contextPath(PAGES.manageReleases, appId, environment.id)
      : null,
  };
}
