import type { EntryKind } from "@/lib/features/configuration/schema";
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

const ENTRY_PAGES = {
  "dev-variable": { admin: PAGES.adminDevVariables, user: PAGES.manageDevVariables },
  "secure-variable": { admin: PAGES.adminSecureVariables, user: PAGES.manageSecureVariables },
  "secure-certificate": { admin: PAGES.adminSecureCertificates, user: PAGES.manageSecureCertificates },
} as const satisfies Record<EntryKind, object>;

/** The path to the entries of a kind in an environment. */
export function entriesPath(
  kind: EntryKind,
  place: { appId: string; environmentId: string },
  isAdmin: boolean,
): string {
  return contextPath(ENTRY_PAGES[kind][isAdmin ? "admin" : "user"], place.appId, place.environmentId);
}

/** The paths to the variables and certificates of an environment that a user's scopes allow; null if none. */
export function configurationPaths(
  appId: string,
  environment: { id: string; scopes: readonly Scope[] },
  isAdmin: boolean,
): { development: string | null; secure: string | null; certificates: string | null } {
  const place = { appId, environmentId: environment.id };
  const path = (kind: EntryKind) =>
    environment.scopes.includes(`${kind}:read`) ? entriesPath(kind, place, isAdmin) : null;
  return {
    development: path("dev-variable"),
    secure: path("secure-variable"),
    certificates: path("secure-certificate"),
  };
}
