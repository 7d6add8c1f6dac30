import type { EntryKind } from "@/lib/features/configuration/schema";
import { appPath, contextPath, PAGES, pagePath } from "@/lib/kernel/navigation/pages";
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

/** The tabs of an environment's page. */
export const ENVIRONMENT_TABS = ["releases", "configuration", "connect", "access", "settings"] as const;
export type EnvironmentTab = (typeof ENVIRONMENT_TABS)[number];

/** The path to an environment's page, whose first tab has no parameter. */
export function environmentPath(
  { appId, environmentId }: { appId: string; environmentId: string },
  isAdmin: boolean,
  tab?: "connect" | "access" | "settings",
): string {
  const page = isAdmin ? PAGES.adminEnvironment : PAGES.manageReleases;
  return pagePath(page, { app: appId, environment: environmentId, ...(tab && { tab }) });
}

/** The first page of an environment that a user can open; testers see the list of its releases. */
export function environmentStartPath(
  appId: string,
  environment: { id: string; scopes: readonly Scope[] },
  isAdmin: boolean,
): string {
  if (isAdmin) return environmentPath({ appId, environmentId: environment.id }, true);
  const { view, manage } = releasePaths(appId, environment);
  const { development, secure, certificates } = configurationPaths(appId, environment, false);
  return manage ?? view ?? development ?? secure ?? certificates ?? appPath(appId, false);
}

/** The path to a tab of an environment's page; null if the user's scopes do not allow it. */
export function environmentTabPath(
  tab: EnvironmentTab,
  { appId, id, scopes }: { appId: string; id: string; scopes: readonly Scope[] },
  isAdmin: boolean,
): string | null {
  const place = { appId, environmentId: id };
  if (tab === "releases") return scopes.includes("release:read") ? environmentPath(place, isAdmin) : null;
  if (tab === "configuration") {
    const kind = (Object.keys(ENTRY_PAGES) as EntryKind[]).find((one) => scopes.includes(`${one}:read`));
    return kind ? entriesPath(kind, place, isAdmin) : null;
  }
  if (tab === "access") return isAdmin ? environmentPath(place, true, tab) : null;
  return scopes.includes("environment:read") ? environmentPath(place, isAdmin, tab) : null;
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
