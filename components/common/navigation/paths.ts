import type { Scope } from "@/lib/permissions/scopes";

/** The page where administrators create API tokens. */
export const TOKENS_PATH = "/admin-app-config?tab=api-tokens";

/** The path of a page about an application, or about one of its environments. */
export function contextPath(path: `/${string}`, appId: string, environmentId?: string): string {
  const query = new URLSearchParams({ app: appId });
  if (environmentId !== undefined) query.set("environment", environmentId);
  return `${path}?${query}`;
}

/** The path of a release. */
export function releasePath(releaseId: string): string {
  return `/releases?${new URLSearchParams({ id: releaseId })}`;
}

/** The paths to the releases of an environment that a user's scopes allow; null if none. */
export function releasePaths(
  appId: string,
  environment: { id: string; scopes: readonly Scope[] },
): { view: string | null; manage: string | null } {
  const holds = (...scopes: Scope[]) => scopes.some((scope) => environment.scopes.includes(scope));
  return {
    view: holds("release:read") ? contextPath("/releases", appId, environment.id) : null,
    manage: holds("release:create", "release:update", "release:delete")
      ? contextPath("/manage-testing-deploys", appId, environment.id)
      : null,
  };
}
