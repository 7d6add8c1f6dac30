import { type BrowserContext, type Locator, type Page, request } from "@playwright/test";
import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { makeIcon } from "@slipway/installers/testing";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { DAY_MS } from "../lib/kernel/time.ts";
import type { AuthenticatorApp } from "../testing/authenticator-app";
import { canary } from "../testing/canaries";
import { ConsoleClient } from "../testing/console-client";
import { ADMIN, baseUrl } from "../testing/environment.ts";
import { anAab, anApk, anIpa } from "../testing/installers";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { Person } from "./fixtures/database";
import { keptPage } from "./fixtures/kept-page";
import { t, textsIn } from "./fixtures/messages";
import { linkTo } from "./fixtures/outbox";
import { DESKTOP, expectAccessible, PHONE, settled, untranslatedKeys, violationsIn } from "./fixtures/page-health";
import { slowUnless } from "./fixtures/slow";
import { test as base, expect, type Place, timeZoneCookie, type WorkerFixtures } from "./fixtures/test";
import { languagesThatOverflow } from "./fixtures/translated-page";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppShell } from "./pages/app-shell";
import { AuditLogPage } from "./pages/audit-log-page";
import { CertificatesPage } from "./pages/certificates-page";
import { PasskeysPage } from "./pages/passkeys-page";
import { PermissionsPage } from "./pages/permissions-page";
import { RecoveryPage } from "./pages/recovery-pages";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { TwoFactorTab } from "./pages/two-factor-pages";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

/** A console with sample data. */
interface Sample {
  place: Place;
  /** An .ipa whose profile ends soon. */
  releaseId: string;
  /** Searches for the build that brought a fault: one that goes on, and one that is over. */
  bisectIds: { begun: string; found: string };
  /** A group of testers, which was told of it. */
  groupId: string;
  /** A role that may download the releases of the place; Grace Hopper has it. */
  roleName: string;
  roleId: string;
  /** Grace Hopper. */
  personId: string;
  /** The path of somebody's recovery link. */
  passwordLink: string;
  /**
   * Sessions of someone whose second factor is on: one that has still to pass it, and one that has. That of an
   * administrator has passed it.
   */
  cookies: Record<"signingIn" | "twoFactor" | "administrator", Cookies>;
  /** A code of their app that has not been used. */
  freshCode: () => Promise<string>;
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** Made for the first test of a worker that needs it. As a fixture of workers, it would start another console. */
let made: Promise<Sample> | undefined;

/** Whose session a screen is opened in; `admin` is the administrator of all tests. */
type Visitor = "nobody" | "admin" | keyof Sample["cookies"];

/** These tests leave nothing in the browser: each visitor has one page, which goes from screen to screen. */
const test = base.extend<{ sample: Sample; visitor: Visitor }>({
  sample: async ({ admin, newPlace, database }, use) => {
    made ??= makeSample({ admin, newPlace, database });
    await use(await made);
  },

  visitor: ["admin", { option: true }],

  context: async ({ browser, adminState, sample, visitor }, use) => {
    const sessions = { ...sample.cookies, nobody: [], admin: adminState.cookies };
    const page = await keptPage(browser, `${visitor} of the screens`, sessions[visitor]);
    await use(page.context());
  },

  page: async ({ context }, use) => use(context.pages()[0] as Page),
});

async function makeSample({
  admin,
  newPlace,
  database,
}: Pick<WorkerFixtures, "admin" | "newPlace" | "database">): Promise<Sample> {
  const place = await newPlace();
  const { email } = await database.addPerson([]);
  await admin.command("auth/generate-password-recovery", { email });
  const { environmentId, identifier, appId, appName } = place;
  const logoFileId = await admin.uploadImage(makeIcon({ size: 128 }));
  await admin.command("apps/update-app", { id: appId, name: appName, identifier, logoFileId, status: "active" });
  const publish = { environmentId, description: "Offline maps: pick a region under Trips → Download." };
  await admin.publish(anAab(identifier, { versionName: "2.4.0", versionCode: 117 }), publish);
  await admin.publish(await anApk(identifier, { versionName: "2.4.0", versionCode: 118 }), publish);
  const good = await admin.publish(anIpa(identifier, { version: "2.3.0", build: "110" }), publish);
  await admin.publish(anIpa(identifier, { version: "2.3.1", build: "114" }), publish);
  const expires = new Date(Date.now() + 9 * DAY_MS);
  const ipa = anIpa(identifier, { version: "2.4.0", build: "118", profile: { type: "ad-hoc", expires } });
  const release = await admin.publish(ipa, { ...publish, "metadata[gitBranch]": "main" });
  const ends = { environmentId, goodId: good.id, badId: release.id };
  const [begun, found] = [
    await admin.command("apps/start-bisect", ends),
    await admin.command("apps/start-bisect", ends),
  ];
  await admin.command("apps/answer-bisect", { id: found.id, answer: "bad" });
  await admin.command("share-links/create-share-link", { environmentId, name: "For the client", maxInstalls: 3 });
  const emails = ["ada@slipway.test", "a.tester.with.a.long.address@a.long.domain.of.testers.slipway.test"];
  const group = await admin.command("testers/create-tester-group", { appId, name: "Beta testers", emails });
  await admin.command("testers/distribute-release", { releaseId: release.id, groupIds: [group.id] });
  const said = { releaseId: release.id, text: "The map stays empty after I pick a region.", rating: 2 };
  await admin.command("feedback/create-feedback", said);
  await admin.command("config/create-api-token", {
    name: `CI of ${appName}`,
    appId,
    environmentId,
    identifiers: ["server", identifier],
    validUntil: new Date(Date.now() + 9 * DAY_MS).toISOString(),
  });
  for (const [key, value] of [
    ["API_URL", "https://api.example.com/v2"],
    ["GREETING", `Hello,\n${"long ".repeat(60)}`],
  ] as const) {
    await admin.command("apps/create-development-variable", { environmentId, name: key, key, value });
  }
  const role = await admin.command("config/create-role", { name: `Testers of ${appName}` });
  await admin.command("permissions/create-role-permission", {
    roleId: role.id,
    scopes: ["release:download", "environment:read"],
    apps: [{ appId, environmentIds: [environmentId] }],
  });
  const { id: personId } = await admin.command("auth/register-user", {
    firstNames: "Grace",
    lastNames: "Hopper",
    email: `grace-${environmentId}@slipway.test`,
    team: "Compilers",
    roleId: role.id,
    provider: "email",
  });
  const person = await database.addPerson([
    { scopes: ["secure-variable:write", "secure-certificate:write", "environment:read"], appId },
  ]);
  const { cookies, app } = await atSecondFactor(person, environmentId);
  const administrator = await database.addPerson([]);
  await database.promote(administrator.id);
  const { client } = await turnOnTwoFactor(baseUrl(), administrator);
  const options = await client.command("auth/create-passkey", {});
  const authenticator = new SoftwareAuthenticator({ backedUp: true });
  await client.command("auth/validate-create-passkey", {
    registrant: passkeyName(place),
    response: authenticator.create(options, { origin: baseUrl() }),
  });
  const administratorCookies = (await client.request.storageState()).cookies;
  await client.dispose();
  const freshCode = async () => {
    await database.forgetUsedCodes(person.id);
    return app.code();
  };
  return {
    place,
    releaseId: release.id,
    bisectIds: { begun: begun.id, found: found.id },
    groupId: group.id,
    roleName: role.name,
    roleId: role.id,
    personId,
    passwordLink: await linkTo(email),
    cookies: { ...cookies, administrator: administratorCookies },
    freshCode,
  };
}

const passkeyName = ({ appName }: Place) => `Phone of ${appName}`;

async function atSecondFactor(
  person: Person,
  environmentId: string,
): Promise<{ cookies: Pick<Sample["cookies"], "signingIn" | "twoFactor">; app: AuthenticatorApp }> {
  const { client: twoFactor, app } = await turnOnTwoFactor(baseUrl(), person);
  const secret = { name: "Payments", key: "PAYMENTS_KEY", value: canary("secure-variable") };
  await twoFactor.command("apps/create-secure-variable", { environmentId, ...secret });
  await twoFactor.command("apps/create-secure-certificate", {
    environmentId,
    name: "Push",
    key: "APNS_CERTIFICATE",
    fileName: "push.p12",
    value: Buffer.from(certificateSample("modern.p12")).toString("base64"),
    password: SAMPLE_PASSWORD,
  });
  const signingIn = await ConsoleClient.signIn(baseUrl(), person);
  const [one, other] = [await signingIn.request.storageState(), await twoFactor.request.storageState()];
  await Promise.all([signingIn.dispose(), twoFactor.dispose()]);
  return { cookies: { signingIn: one.cookies, twoFactor: other.cookies }, app };
}

test.describe.configure({ mode: "parallel" });

/**
 * The screens and dialogs that `npm test` looks at as a whole: one of each layout and of each kind of control, without the pages that
 * other files look at (`health.spec.ts`, `not-found.spec.ts`). `npm run test:slow` looks at all others.
 */
const QUICK: ReadonlySet<string> = new Set([
  "the sign-in",
  "a page of the documentation",
  "home",
  "one's second factor, on",
  "the dashboard",
  "the users",
  "a role",
  "the audit log, filtered",
  "an environment's administration",
  "the releases",
  "the development variables",
  "a release",
  "the form of an application",
  "the form of a permission, its environments to choose from",
  "the command palette",
  "the account's menu",
  "the upload of a release, its installer read",
  "the question before a release is deleted",
]);

interface Screen {
  name: string;
  path: (sample: Sample) => string;
  /** By default, the administrator of all tests. */
  visitor?: Visitor;
  /** The answer's status, where it is not 200. */
  status?: number;
}

const context = ({ place }: Sample) => `app=${place.appId}&environment=${place.environmentId}`;
const app = ({ place }: Sample) => `app=${place.appId}`;

const TOOL_REQUEST = `/authorize-tool?${new URLSearchParams({
  redirectUri: "http://127.0.0.1:49152/callback",
  codeChallenge: "c".repeat(43),
  state: "s".repeat(22),
  machine: "build-7.local",
})}`;

const SCREENS: Screen[] = [
  { name: "the sign-in", path: () => "/", visitor: "nobody" },
  { name: "the sign-in after the end of a session", path: () => "/?expired=1&next=%2Fhome", visitor: "nobody" },
  { name: "a setup link that has been used", path: () => "/setup?token=used", visitor: "nobody" },
  { name: "the request of a recovery link", path: () => RecoveryPage.PATH, visitor: "nobody" },
  { name: "the choice of a new password", path: ({ passwordLink }) => passwordLink, visitor: "nobody" },
  { name: "a link to a new password that has been used", path: () => "/reset-password?token=used", visitor: "nobody" },
  { name: "a sign-in by a provider that failed", path: () => "/oauth-login?error=cancelled", visitor: "nobody" },
  { name: "the guide to https", path: () => "/https-guide", visitor: "nobody" },
  { name: "the reference of the API", path: () => "/api/docs", visitor: "nobody" },
  {
    name: "an operation in the reference of the API",
    path: () => "/api/docs?operation=apps/create-testing-deploy",
    visitor: "nobody",
  },
  { name: "the documentation", path: () => "/docs?q=token", visitor: "nobody" },
  { name: "a page of the documentation", path: () => "/docs/ci", visitor: "nobody" },
  { name: "the second step of the sign-in", path: () => "/two-factor?next=%2Fhome", visitor: "signingIn" },
  { name: "the request of a command-line tool to sign in", path: () => TOOL_REQUEST },
  { name: "a request to sign in that no tool made", path: () => "/authorize-tool" },
  { name: "the end of a tool's sign-in", path: () => "/authorize-tool?result=done", visitor: "nobody" },
  { name: "the not-found page", path: () => "/no-such-page", status: 404 },
  { name: "home", path: () => "/home" },
  { name: "the profile", path: () => "/profile" },
  { name: "one's passkeys", path: () => PasskeysPage.PATH, visitor: "administrator" },
  { name: "one's passkeys, none yet", path: () => PasskeysPage.PATH, visitor: "twoFactor" },
  { name: "one's second factor, off", path: () => `${TwoFactorTab.PATH}&next=%2Fhome` },
  { name: "one's second factor, on", path: () => TwoFactorTab.PATH, visitor: "twoFactor" },
  { name: "the dashboard", path: () => "/admin-dashboard" },
  { name: "the applications", path: () => "/admin-apps" },
  { name: "the platforms", path: () => "/admin-platforms" },
  { name: "the users", path: () => UsersPage.PATH },
  { name: "the roles", path: () => RolesPage.PATH },
  { name: "a person", path: ({ personId }) => `${UsersPage.PATH}?user=${personId}` },
  { name: "a role", path: ({ roleId }) => `${RolesPage.PATH}?role=${roleId}` },
  { name: "the audit log", path: () => AuditLogPage.PATH },
  {
    name: "the audit log, filtered",
    path: ({ place }) => `${AuditLogPage.PATH}?table=App&action=update&recordId=${place.appId}`,
  },
  { name: "the audit log, nothing found", path: () => `${AuditLogPage.PATH}?search=nothing-of-that-name` },
  { name: "the webhooks", path: () => "/admin-webhooks" },
  { name: "one's devices", path: () => "/devices", visitor: "administrator" },
  { name: "one's devices, none yet", path: () => "/devices" },
  { name: "one's searches for a build", path: () => "/bisect" },
  { name: "one's searches for a build, none yet", path: () => "/bisect", visitor: "twoFactor" },
  { name: "a search for a build", path: ({ bisectIds }) => `/bisect?id=${bisectIds.begun}` },
  { name: "a search for a build, found", path: ({ bisectIds }) => `/bisect?id=${bisectIds.found}` },
  { name: "what expires", path: () => "/expiry" },
  { name: "what expires for a user", path: () => "/expiry", visitor: "twoFactor" },
  { name: "the devices of all users", path: () => "/admin-devices" },
  { name: "the share links of an application", path: (sample) => `/share-links?${app(sample)}` },
  { name: "the groups of testers of an application", path: (sample) => `/testers?${app(sample)}` },
  { name: "the members of a group of testers", path: (sample) => `/testers?${app(sample)}&group=${sample.groupId}` },
  { name: "the feedback on an application", path: (sample) => `/feedback?${app(sample)}` },
  { name: "the feedback on a release", path: (sample) => `/feedback?${app(sample)}&release=${sample.releaseId}` },
  { name: "the storage", path: () => "/admin-storage" },
  { name: "the bin of an application", path: (sample) => `/bin?${app(sample)}` },
  { name: "the health of the console", path: () => "/admin-health" },
  { name: "the permissions", path: () => PermissionsPage.PATH },
  { name: "the console's settings", path: () => "/admin-app-config" },
  { name: "the ways to sign in", path: () => "/admin-app-config?tab=enable-sso" },
  { name: "the configuration of Apple", path: () => "/admin-app-config?tab=configure-sso" },
  { name: "the configuration of GitLab", path: () => "/admin-app-config?tab=configure-sso&provider=gitlab" },
  { name: "the API tokens", path: () => ApiTokensPage.PATH },
  { name: "an application's administration", path: (sample) => `/registered-app?${app(sample)}` },
  { name: "an environment's administration", path: (sample) => `/environment-app?${context(sample)}` },
  {
    name: "the connection of an environment",
    path: (sample) => `/environment-app?${context(sample)}&tab=connect`,
  },
  {
    name: "who can see an environment",
    path: (sample) => `/environment-app?${context(sample)}&tab=access`,
  },
  {
    name: "the settings of an environment",
    path: (sample) => `/environment-app?${context(sample)}&tab=settings`,
  },
  { name: "an application's environments", path: (sample) => `/app-environments?${app(sample)}` },
  { name: "the management of environments", path: (sample) => `/manage-app-environments?${app(sample)}` },
  { name: "the releases", path: ({ place }) => ReleasesPage.path(place) },
  { name: "the management of releases", path: ({ place }) => ReleasesPage.path(place, "/manage-testing-deploys") },
  { name: "the releases to choose from", path: ({ place }) => ReleasesPage.path(place, "/releases") },
  { name: "the development variables", path: ({ place }) => VariablesPage.path("/dev-variables", place) },
  {
    name: "the variables by environment",
    path: ({ place }) => `${VariablesPage.path("/dev-variables", place)}&tab=environments`,
  },
  {
    name: "the history of the variables",
    path: ({ place }) => `${VariablesPage.path("/dev-variables", place)}&tab=history`,
  },
  { name: "the variables that one manages", path: ({ place }) => VariablesPage.path("/manage-dev-variables", place) },
  {
    name: "the secure variables that one manages",
    path: ({ place }) => VariablesPage.path("/manage-secure-variables", place),
    visitor: "twoFactor",
  },
  {
    name: "the secure certificates",
    path: ({ place }) => CertificatesPage.path("/secure-certificates", place),
    visitor: "administrator",
  },
  {
    name: "the secure certificates that one manages",
    path: ({ place }) => CertificatesPage.path("/manage-secure-certificates", place),
    visitor: "twoFactor",
  },
  { name: "a release", path: ({ releaseId }) => ReleasePage.path(releaseId) },
];

test("each screen is answered with its status and its heading, and no part of it has failed", async ({
  sample,
  adminState,
}) => {
  const sessions = { ...sample.cookies, nobody: [], admin: adminState.cookies };
  for (const visitor of new Set(SCREENS.map((screen) => screen.visitor ?? "admin"))) {
    const cookies = [...sessions[visitor], timeZoneCookie(baseUrl())].map(({ name, value }) => `${name}=${value}`);
    const headers = { cookie: cookies.join("; ") };
    const client = await request.newContext({ baseURL: baseUrl(), extraHTTPHeaders: headers });
    for (const { name, path, status = 200 } of SCREENS.filter((screen) => (screen.visitor ?? "admin") === visitor)) {
      const answer = await client.get(path(sample), { maxRedirects: 0 });
      const html = await answer.text();
      // React writes `data-dgst` for a part of a page that is left to the browser: with a number where it threw an error.
      const failures = html.match(/data-dgst="\d[^"]*"/g) ?? [];
      const said = { name, status: answer.status(), heading: html.includes("<h1"), failures };
      expect.soft(said).toEqual({ name, status, heading: true, failures: [] });
    }
    await client.dispose();
  }
});

for (const { name, path, visitor = "admin", status = 200 } of SCREENS) {
  test.describe(name, slowUnless(QUICK.has(name)), () => {
    test.use({ visitor });

    test(`${name}: no axe violation in either theme, on the phone and on the desktop, and all six languages fit`, async ({
      page,
      sample,
      problems,
    }) => {
      if (status !== 200) problems.expect(new RegExp(String(status)));
      await page.setViewportSize(DESKTOP);
      expect((await page.goto(path(sample)))?.status()).toBe(status);
      await settled(page);
      expect(await untranslatedKeys(page)).toEqual([]);
      // It is a phone afterwards.
      await expectAccessible(page);
      expect(await languagesThatOverflow(page)).toEqual([]);
    });
  });
}

interface Overlay {
  name: string;
  visitor?: Visitor;
  path: (sample: Sample) => string;
  /** Opens it. @returns what it is */
  open: (page: Page, sample: Sample) => Promise<Locator>;
}

const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).first().click();

/** @param entries that of the menu and, if it has a menu of its own, one of that */
async function fromMenu(page: Page, of: string, ...entries: string[]): Promise<void> {
  await page.getByRole("button", { name: t("common.moreActionsFor", { name: of }), exact: true }).click();
  for (const entry of entries) await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

const RELEASE = "2.4.0 (118)";

const OVERLAYS: Overlay[] = [
  {
    name: "the form of an application",
    path: () => "/admin-apps",
    open: async (page) => {
      await press(page, t("apps.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of an environment",
    path: (sample) => `/registered-app?${app(sample)}`,
    open: async (page) => {
      await press(page, t("environments.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of a development variable",
    path: ({ place }) => VariablesPage.path("/dev-variables", place),
    open: async (page) => {
      await press(page, t("variables.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the import of variables, checked",
    path: ({ place }) => VariablesPage.path("/dev-variables", place),
    open: async (page) => {
      const variables = new VariablesPage(page);
      await variables.check("API_URL=https://api.example.com/v3\nLOG_LEVEL=debug");
      await expect(variables.dialog.getByRole("status")).toBeVisible();
      return variables.dialog;
    },
  },
  {
    name: "the differences between two versions of a configuration",
    path: ({ place }) => `${VariablesPage.path("/dev-variables", place)}&tab=history`,
    open: async (page) => {
      const variables = new VariablesPage(page);
      await variables.compare(2, "comparePrevious").click();
      await expect(variables.dialog.getByText("GREETING", { exact: true })).toBeVisible();
      return variables.dialog;
    },
  },
  {
    name: "a record of the audit log",
    path: ({ place }) => `${AuditLogPage.PATH}?table=App&recordId=${place.appId}`,
    open: async (page, { place }) => {
      const log = new AuditLogPage(page);
      await log.open(t("auditLog.actions.update"));
      await expect(log.record.getByText(place.appId).first()).toBeVisible();
      return log.record;
    },
  },
  {
    name: "the form of a platform",
    path: () => "/admin-platforms",
    open: async (page) => {
      await press(page, t("platforms.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the invitation of people, with empty required fields",
    path: () => UsersPage.PATH,
    open: async (page) => {
      await press(page, t("invite.title"));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: t("invite.submit"), exact: true }).click();
      await expect(dialog.getByText(t("validation.required"))).toBeVisible();
      return dialog;
    },
  },
  {
    name: "the scopes of a role in one place",
    path: ({ roleId }) => `${RolesPage.PATH}?role=${roleId}`,
    open: async (page) => {
      await page
        .getByRole("group", { name: t("people.access.everywhere"), exact: true })
        .getByRole("button", { name: t("people.access.custom") })
        .click();
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of a new password",
    path: () => "/profile",
    open: async (page) => {
      await press(page, t("profile.password.change"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of a new user",
    path: () => UsersPage.PATH,
    open: async (page) => {
      await press(page, t("invite.title"));
      await page.getByRole("dialog").getByText(t("invite.nameAndTeam"), { exact: true }).click();
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of one's own user, about to be switched off",
    path: () => `${UsersPage.PATH}?search=${encodeURIComponent(ADMIN.email)}`,
    open: async (page) => {
      const users = new UsersPage(page);
      await users.fromMenu("Admin Slipway", t("common.edit"));
      await users.status.click();
      await expect(users.form.getByText(t("users.self.switchOff"))).toBeVisible();
      return users.form;
    },
  },
  {
    name: "the form of a role",
    path: () => RolesPage.PATH,
    open: async (page) => {
      await press(page, t("roles.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the form of a permission, its environments to choose from",
    path: ({ roleName }) => `${PermissionsPage.PATH}?search=${encodeURIComponent(roleName)}`,
    open: async (page, { place, roleName }) => {
      const permissions = new PermissionsPage(page);
      await permissions.fromMenu(roleName, t("common.edit"));
      await expect(permissions.form.getByRole("checkbox", { name: place.environmentName, exact: true })).toBeChecked();
      return permissions.form;
    },
  },
  {
    name: "the question before a permission is deleted",
    path: ({ roleName }) => `${PermissionsPage.PATH}?search=${encodeURIComponent(roleName)}`,
    open: async (page, { roleName }) => {
      await new PermissionsPage(page).fromMenu(roleName, t("common.delete"));
      return page.getByRole("alertdialog");
    },
  },
  {
    name: "the form of a passkey",
    path: () => PasskeysPage.PATH,
    open: async (page) => {
      const passkeys = new PasskeysPage(page);
      await passkeys.add.click();
      return passkeys.form;
    },
  },
  {
    name: "the question before a passkey is deleted",
    path: () => PasskeysPage.PATH,
    visitor: "administrator",
    open: async (page, { place }) => {
      await new PasskeysPage(page).delete(passkeyName(place)).click();
      return page.getByRole("alertdialog");
    },
  },
  {
    name: "the form of an API token",
    path: () => ApiTokensPage.PATH,
    open: async (page) => {
      await press(page, t("apiTokens.create"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the QR code of a second factor",
    path: () => TwoFactorTab.PATH,
    open: async (page) => {
      await press(page, t("twoFactor.begin"));
      return page.getByRole("img", { name: t("twoFactor.wizard.scan.qrCode"), exact: true });
    },
  },
  {
    name: "the question for the first code of a second factor",
    path: () => TwoFactorTab.PATH,
    open: async (page) => {
      const tab = new TwoFactorTab(page);
      await tab.begin.click();
      await tab.scanned.click();
      return tab.code;
    },
  },
  {
    name: "the question before recovery codes are replaced",
    path: () => TwoFactorTab.PATH,
    visitor: "twoFactor",
    open: async (page) => {
      await press(page, t("twoFactor.renew.action"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "new recovery codes",
    path: () => TwoFactorTab.PATH,
    visitor: "twoFactor",
    open: async (page, { freshCode }) => {
      const tab = new TwoFactorTab(page);
      await tab.renew.click();
      await tab.code.fill(await freshCode());
      await page.keyboard.press("Enter");
      return tab.recoveryCodes;
    },
  },
  {
    name: "the question before a second factor is switched off",
    path: () => TwoFactorTab.PATH,
    visitor: "twoFactor",
    open: async (page) => {
      await press(page, t("twoFactor.delete.action"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the command palette",
    path: () => "/home",
    open: (page) => new AppShell(page).openPalette(),
  },
  {
    name: "the account's menu",
    path: () => "/home",
    open: async (page) => {
      await page
        .getByRole("button", { name: t("shell.account.label", { name: "Admin Slipway" }), exact: true })
        .click();
      return page.getByRole("menu");
    },
  },
  {
    name: "the upload of a release, its installer read",
    path: ({ place }) => ReleasesPage.path(place),
    open: async (page, { place }) => {
      await press(page, t("upload.action"));
      const { name, bytes } = anIpa(place.identifier, { version: "3.0.0", build: "300" });
      const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
      await page.getByRole("dialog").locator("input[type=file]").setInputFiles(file);
      await page.getByRole("button", { name: t("upload.advanced"), exact: true }).click();
      return page.getByRole("dialog");
    },
  },
  {
    name: "the QR code of a release",
    path: ({ releaseId }) => ReleasePage.path(releaseId),
    open: async (page) => {
      await fromMenu(page, RELEASE, t("releases.share.action"));
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("img", { name: /QR/ })).toBeVisible();
      return dialog;
    },
  },
  {
    name: "the form of a release",
    path: ({ releaseId }) => ReleasePage.path(releaseId),
    open: async (page) => {
      await fromMenu(page, RELEASE, "iOS", t("releases.menu.edit"));
      return page.getByRole("dialog");
    },
  },
  {
    name: "the question before a release is deleted",
    path: ({ releaseId }) => ReleasePage.path(releaseId),
    open: async (page) => {
      await fromMenu(page, RELEASE, "iOS", t("releases.menu.delete"));
      return page.getByRole("alertdialog");
    },
  },
];

for (const { name, path, visitor = "admin", open } of OVERLAYS) {
  test.describe(name, slowUnless(QUICK.has(name)), () => {
    test.use({ visitor });

    test(`${name}: no axe violation in either theme, on the phone and on the desktop`, async ({ page, sample }) => {
      // It is opened on the phone, where controls have the least room. The window then grows around it, and shrinks again.
      await page.setViewportSize(PHONE);
      await page.goto(path(sample));
      await settled(page);
      await expectAccessible(page, { overlay: true, shown: await open(page, sample) });
    });
  });
}

base("the navigation on the phone is a sheet that passes axe and closes after a navigation", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/admin-dashboard");
  await page.getByRole("button", { name: t("shell.openNavigation"), exact: true }).click();
  const shell = new AppShell(page);
  await expect(shell.navigationLink("apps")).toBeVisible();
  for (const theme of ["light", "dark"] as const) expect(await violationsIn(theme, page)).toEqual([]);
  await shell.navigationLink("apps").click();
  await expect(shell.heading(t("apps.title"))).toBeVisible();
  await expect(shell.navigation).toHaveCount(0);
});

for (const [which, languages] of [
  ["another language", ["en"]],
  ["each of the six languages", LOCALES.slice(1)],
] as const) {
  base(
    `${which} is chosen in the page, kept over a reload, and set as the document's language`,
    slowUnless(languages.length === 1),
    async ({ page }) => {
      await page.goto("/admin-dashboard");
      const shell = new AppShell(page);
      let current: (typeof LOCALES)[number] = "es";
      for (const next of [...languages, LOCALES[0]]) {
        await shell.chooseLanguage(current, textsIn(current)("locale.label"), next);
        await expect(page.locator("html")).toHaveAttribute("lang", next);
        await expect(shell.heading(textsIn(next)("dashboard.title"))).toBeVisible();
        await page.reload();
        await expect(page.locator("html")).toHaveAttribute("lang", next);
        current = next;
      }
    },
  );
}

for (const [browserLanguage, shown] of [
  ["de-AT", "de"],
  ["pt-BR", "pt"],
  ["ja-JP", "es"],
] as const) {
  base.describe(`a browser in ${browserLanguage}`, slowUnless(browserLanguage === "pt-BR"), () => {
    base.use({ signedIn: false, locale: browserLanguage });

    base(`a browser in ${browserLanguage} is shown the console in ${shown}`, async ({ page }) => {
      await page.goto("/");
      await expect(page.locator("html")).toHaveAttribute("lang", shown);
      await expect(page.getByRole("heading", { name: textsIn(shown)("auth.title"), exact: true })).toBeVisible();
    });
  });
}

for (const name of QUICK) {
  if (![...SCREENS, ...OVERLAYS].some((one) => one.name === name)) throw new Error(`there is no screen ${name}`);
}
