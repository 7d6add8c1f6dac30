import type { Scope } from "@/lib/permissions/scopes";

/** Where administrators make API tokens. */
export const TOKENS_PATH = "/admin-app-config?tab=api-tokens";

/** A page of the console about an application, or about one environment of it. */
export function contextPath(path: `/${string}`, appId: string, environmentId?: string): string {
  const query = new URLSearchParams({ app: appId });
  if (environmentId !== undefined) query.set("environment", environmentId);
  return `${path}?${query}`;
}

/** The page of one release. */
export function releasePath(releaseId: string): string {
  return `/releases?${new URLSearchParams({ id: releaseId })}`;
}

/** Where a person gets to the releases of an environment by their scopes there; null where they do not. */
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
