/** The paths of the console's pages. */
export const PAGES = {
  signIn: "/",
  secondFactor: "/two-factor",
  providerCallback: "/oauth-login",
  /** Where a person lets a command-line tool sign in as them. */
  authorizeTool: "/authorize-tool",
  setup: "/setup",
  passwordRecovery: "/generate-password-recovery",
  resetPassword: "/reset-password",
  httpsGuide: "/https-guide",
  /** Where a device learns to trust a console on the local network. */
  trust: "/trust",
  apiReference: "/api/docs",
  /** The documentation for users; its pages are below. */
  docs: "/docs",

  home: "/home",
  profile: "/profile",
  /** For all users who have access: an application, its environments, their releases. */
  appEnvironments: "/app-environments",
  manageAppEnvironments: "/manage-app-environments",
  manageReleases: "/manage-testing-deploys",
  manageDevVariables: "/manage-dev-variables",
  manageSecureVariables: "/manage-secure-variables",
  manageSecureCertificates: "/manage-secure-certificates",
  releases: "/releases",
  /** What testers say about the releases of an application. */
  feedback: "/feedback",
  /** The links that open the releases of an application without an account. */
  shareLinks: "/share-links",
  /** The deleted releases of an application. */
  bin: "/bin",
  /** The caller's own devices. */
  devices: "/devices",
  /** The caller's own searches for builds that brought faults, or one of them. */
  bisect: "/bisect",
  /** The expiration dates of the things that the caller may see. */
  expiry: "/expiry",
  /** The groups of testers of an application, and the members of one. */
  testers: "/testers",

  adminDashboard: "/admin-dashboard",
  /**
   * For administrators: all applications, one of them, one of its environments, that environment's releases, variables and
   * certificates.
   */
  adminApps: "/admin-apps",
  adminApp: "/registered-app",
  adminEnvironment: "/environment-app",
  adminReleases: "/testing-deploys",
  adminDevVariables: "/dev-variables",
  adminSecureVariables: "/secure-variables",
  adminSecureCertificates: "/secure-certificates",
  adminPlatforms: "/admin-platforms",
  adminUsers: "/admin-users",
  adminRoles: "/admin-roles",
  adminPermissions: "/admin-permissions",
  adminSettings: "/admin-app-config",
  adminLogs: "/admin-logs",
  adminWebhooks: "/admin-webhooks",
  /** The devices of all users. */
  adminDevices: "/admin-devices",
  adminStorage: "/admin-storage",
  /** The state of the console's database, store and other services. */
  adminHealth: "/admin-health",
} as const;

/** The pages of an application that belong to none of its environments and are for all users. */
export const APP_PAGES: readonly string[] = [PAGES.testers, PAGES.shareLinks, PAGES.feedback, PAGES.bin];

export type PagePath = (typeof PAGES)[keyof typeof PAGES];

/** The path of a page with query parameters. */
export function pagePath(page: PagePath, parameters: Record<string, string>): string {
  return `${page}?${new URLSearchParams(parameters)}`;
}

/** The path of a page about an application, or about one of its environments. */
export function contextPath(page: PagePath, appId: string, environmentId?: string): string {
  return pagePath(page, { app: appId, ...(environmentId !== undefined && { environment: environmentId }) });
}

/**
 * The page of an application: its administration for administrators, otherwise the environments that the user has
 * access to.
 */
export function appPath(appId: string, isAdmin: boolean): string {
  return contextPath(isAdmin ? PAGES.adminApp : PAGES.appEnvironments, appId);
}

/** The page of a release. */
export function releasePath(releaseId: string): string {
  return pagePath(PAGES.releases, { id: releaseId });
}

/** The page of exactly one file of a build, whichever file the device could install. */
export function releaseFilePath(releaseId: string): string {
  return pagePath(PAGES.releases, { id: releaseId, file: "this" });
}

/** The feedback on the releases of an application, or on those of an environment or one of them. */
export function feedbackPath(appId: string, place: { environmentId?: string; releaseId?: string } = {}): string {
  const { environmentId, releaseId } = place;
  return pagePath(PAGES.feedback, {
    app: appId,
    ...(environmentId !== undefined && { environment: environmentId }),
    ...(releaseId !== undefined && { release: releaseId }),
  });
}

/** The page of a search for the build that brought a fault. */
export function bisectPath(id: string): string {
  return pagePath(PAGES.bisect, { id });
}

/** The links that open the releases of an application without an account. */
export function shareLinksPath(appId: string): string {
  return contextPath(PAGES.shareLinks, appId);
}

/** The groups of testers of an application, or the members of one. */
export function testersPath(appId: string, groupId?: string): string {
  return pagePath(PAGES.testers, { app: appId, ...(groupId !== undefined && { group: groupId }) });
}

/** Whether a path of the console is the page of a release, whether or not the release exists. */
export function isReleasePath(path: string): boolean {
  const { pathname, searchParams } = new URL(path, "http://console.invalid");
  return pathname === PAGES.releases && searchParams.has("id");
}

/** The value of `notice` with which the home page says that a page is for administrators. */
export const ADMIN_NOTICE = "administration";

/** The value of `notice` with which the home page says that the user may not see a page. */
export const FORBIDDEN_NOTICE = "forbidden";

/** The first page after signing in. */
export function startPath(isAdmin: boolean): string {
  return isAdmin ? PAGES.adminDashboard : PAGES.home;
}

/** The tab of the settings where API tokens are created. */
export const TOKENS_PATH = pagePath(PAGES.adminSettings, { tab: "api-tokens" });

/** The tab of the settings that shows the license. */
export const LICENSE_PATH = pagePath(PAGES.adminSettings, { tab: "license" });

/** The configuration of a sign-in provider. */
export function providerPath(provider: string): string {
  return pagePath(PAGES.adminSettings, { tab: "configure-sso", provider });
}

/** The header with the path and query of the page that is being rendered. proxy.ts sets it. */
export const PAGE_PATH_HEADER = "x-slipway-path";
