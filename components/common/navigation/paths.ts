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

const VARIABLE_PAGES = {
  "dev-variable": { admin: PAGES.adminDevVariables, user: PAGES.manageDevVariables },
  "secure-variable": { admin: PAGES.adminSecureVariables, user: PAGES.manageSecureVariables },
} as const;

/** The path to the variables of a kind in an environment. */
export function variablesPath(
  kind: keyof typeof VARIABLE_PAGES,
  place: { appId: string; environmentId: string },
  isAdmin: boolean,
): string {
  return contextPath(VARIABLE_PAGES[kind][isAdmin ? "admin" : "user"], place.appId, place.environmentId);
}

/** The path to the certificates of an environment. */
export function certificatesPath(place: { appId: string; environmentId: string }, isAdmin: boolean): string {
  const page = isAdmin ? PAGES.adminSecureCertificates : PAGES.manageSecureCertificates;
  return contextPath(page, place.appId, place.environmentId);
}

/** The paths to the variables and certificates of an environment that a user's scopes allow; null if none. */
export function configurationPaths(
  appId: string,
  environment: { id: string; scopes: readonly Scope[] },
  isAdmin: boolean,
): { development: string | null; secure: string | null; certificates: string | null } {
  const place = { appId, environmentId: environment.id };
  const { scopes } = environment;
  return {
    development: scopes.includes("dev-variable:read") ? variablesPath("dev-variable", place, isAdmin) : null,
    secure: scopes.includes("secure-variable:read") ? variablesPath("secure-variable", place, isAdmin) : null,
    certificates: scopes.includes("secure-certificate:read") ? certificatesPath(place, isAdmin) : null,
  };
}
