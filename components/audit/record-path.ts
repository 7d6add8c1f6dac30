import {
  appPath,
  contextPath,
  PAGES,
  pagePath,
  providerPath,
  releasePath,
  TOKENS_PATH,
} from "@/lib/kernel/navigation/pages";

/** An object that an audit record is about. */
export type ChangedObject = {
  table: string;
  recordId: string | null;
  /** Null if the object no longer exists, or has no name. */
  record: { name: string; appId: string | null; environmentId: string | null } | null;
};

/** The path of the page that shows the object of an audit record; null if there is none. */
export function recordPath({ table, recordId, record }: ChangedObject): string | null {
  if (table === "AppConfig") return PAGES.adminSettings;
  if (table === "AuthProvider" && recordId) return providerPath(recordId);
  if (record === null || recordId === null) return null;
  const { name, appId, environmentId } = record;
  const inEnvironment = (page: (typeof PAGES)[keyof typeof PAGES]) =>
    appId && environmentId ? contextPath(page, appId, environmentId) : null;
  switch (table) {
    case "App":
      return appPath(recordId, true);
    case "Environment":
      return inEnvironment(PAGES.adminEnvironment);
    case "Release":
      return releasePath(recordId);
    case "DevVariable":
      return inEnvironment(PAGES.adminDevVariables);
    case "SecureVariable":
      return inEnvironment(PAGES.adminSecureVariables);
    case "SecureCertificate":
      return inEnvironment(PAGES.adminSecureCertificates);
    case "User":
    case "TwoFactor":
      return pagePath(PAGES.adminUsers, { search: name });
    case "Role":
      return pagePath(PAGES.adminRoles, { search: name });
    case "RolePermission":
      return pagePath(PAGES.adminPermissions, { search: name });
    case "Platform":
      return pagePath(PAGES.adminPlatforms, { search: name });
    case "ApiToken":
      return TOKENS_PATH;
    default:
      return null;
  }
}
