import type { BrowserContext, Locator, Page } from "@playwright/test";
import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { makeIcon } from "@slipway/installers/testing";
import type { OperationPath } from "@/lib/client/operation-types";
import { SoftwareAuthenticator } from "@/lib/testing/authenticator";
import { DAY_MS } from "../lib/kernel/time.ts";
import { baseUrl } from "./environment.ts";
import { canary } from "./fixtures/canaries";
import { ConsoleClient } from "./fixtures/console-client";
import type { Person } from "./fixtures/database";
import { anIpa } from "./fixtures/installers";
import { t } from "./fixtures/messages";
import { linkTo } from "./fixtures/outbox";
import { settled } from "./fixtures/page-health";
import { test as base, expect, type Place } from "./fixtures/test";
import { turnOnTwoFactor } from "./fixtures/two-factor";
import { VirtualAuthenticator } from "./fixtures/virtual-authenticator";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppPage } from "./pages/app-page";
import { AuditLogPage } from "./pages/audit-log-page";
import { CertificatesPage } from "./pages/certificates-page";
import { PasskeysPage } from "./pages/passkeys-page";
import { PermissionsPage } from "./pages/permissions-page";
import { RecoveryPage, ResetPasswordPage } from "./pages/recovery-pages";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { SignInPage } from "./pages/sign-in-page";
import { TwoFactorTab } from "./pages/two-factor-pages";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** Records that every row finds in its place. Nothing is changed, since no operation succeeds. */
interface Sample {
  place: Place;
  roleName: string;
  roleId: string;
  tokenName: string;
  passkeyName: string;
  /** Someone whose second factor is on, and a user who has not chosen a password. */
  person: Person;
  invitedEmail: string;
  /** The path of somebody's recovery link. */
  passwordLink: string;
  /** Sessions of an administrator whose second factor is on: one that has passed it, and one that has still to do so. */
  cookies: Record<"twoFactor" | "signingIn", Cookies>;
}

const KEY = "PAYMENTS_KEY";
const RELEASE = "2.4.0 (118)";

const test = base.extend<object, { sample: Sample }>({
  sample: [
    async ({ admin, newPlace, database }, use) => {
      const place = await newPlace();
      const { appId, appName, environmentId } = place;
      await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
        environmentId,
        description: "Offline maps",
      });
      const role = await admin.command("config/create-role", { name: `Testers of ${appName}` });
      await admin.command("permissions/create-role-permission", {
        roleId: role.id,
        scopes: ["release:read"],
        apps: [{ appId, environmentIds: [environmentId] }],
      });
      const invitedEmail = `ada-${environmentId}@slipway.test`;
      await admin.command("auth/register-user", {
        firstNames: "Ada",
        lastNames: "Lovelace",
        email: invitedEmail,
        roleId: role.id,
        provider: "email",
      });
      const tokenName = `CI of ${appName}`;
      await admin.command("config/create-api-token", {
        name: tokenName,
        appId,
        environmentId,
        identifiers: ["server"],
        validUntil: new Date(Date.now() + 9 * DAY_MS).toISOString(),
      });
      const forgetful = await database.addPerson([]);
      await admin.command("auth/generate-password-recovery", { email: forgetful.email });

      const person = await database.addPerson([]);
      await database.promote(person.id);
      const { client } = await turnOnTwoFactor(baseUrl(), person);
      const passkeyName = `Phone of ${appName}`;
      await addPasskey(client, passkeyName);
      for (const [value, path] of [
        ["https://api.example.com", "apps/create-development-variable"],
        [canary("secure-variable"), "apps/create-secure-variable"],
      ] as const) {
        await client.command(path, { environmentId, name: "Payments", key: KEY, value });
      }
      await client.command("apps/create-secure-certificate", {
        environmentId,
        name: "Push",
        key: KEY,
        fileName: "push.p12",
        value: Buffer.from(certificateSample("modern.p12")).toString("base64"),
        password: SAMPLE_PASSWORD,
      });
      const twoFactor = (await client.request.storageState()).cookies;
      await client.dispose();
      const beginner = await ConsoleClient.signIn(baseUrl(), person);
      const signingIn = (await beginner.request.storageState()).cookies;
      await beginner.dispose();
      await use({
        place,
        roleName: role.name,
        roleId: role.id,
        tokenName,
        passkeyName,
        person,
        invitedEmail,
        passwordLink: await linkTo(forgetful.email),
        cookies: { twoFactor, signingIn },
      });
    },
    { scope: "worker" },
  ],
});

async function addPasskey(client: ConsoleClient, registrant: string): Promise<void> {
  const options = await client.command("auth/create-passkey", {});
  const response = new SoftwareAuthenticator({ backedUp: true }).create(options, { origin: baseUrl() });
  await client.command("auth/validate-create-passkey", { registrant, response });
}

type Kind = "refused" | "unreachable";

/**
 * One operation of each kind of control that sends. What a control does without a connection does not depend on the operation,
 * so the others are only refused.
 */
const UNREACHABLE = new Set<OperationPath>([
  // Forms: in a dialog, in the page, that seal a password, of the sign-in, and a code that is sent when it is complete.
  "apps/create-app",
  "config/create-apple-config",
  "permissions/update-role-access",
  "auth/invite-users",
  "auth/change-password",
  "config/get-public-key",
  "auth/email-login",
  "auth/validate-two-factor-enrollment",
  // Fields: an image, options that are searched, and options that follow from another field.
  "files/upload-file",
  "config/get-roles",
  "apps/get-environments-apps-by-app",
  // Buttons: a question, a switch, the entries of menus, a reveal, an export, and passkeys.
  "apps/delete-testing-deploy",
  "config/update-auth-provider",
  "apps/export-variables",
  "apps/get-secure-certificate",
  "apps/get-secure-variable",
  "apps/get-apps",
  "config/verify-audit-chain",
  "auth/logout",
  "auth/create-passkey",
  "auth/login-with-passkey",
]);

interface Row {
  /** The operation that fails. */
  operation: OperationPath;
  /** Brings the page to where the user sends the operation. */
  open?: (page: Page, sample: Sample) => Promise<void>;
  /** Sends it; by default, by the dialog's button. */
  send?: (page: Page, sample: Sample) => Promise<void>;
  /** What has to stay as it was: by default, the dialog. */
  keeps?: "dialog" | "page" | "nothing";
  /** The title if it is refused, where it is not that of the operation. */
  title?: string;
}

interface Screen {
  name: string;
  path: (sample: Sample) => string;
  signedOut?: true;
  session?: keyof Sample["cookies"];
  rows: readonly Row[];
}

const main = (page: Page) => page.getByRole("main");
const dialogOf = (page: Page) => page.locator("[role=dialog]:visible, [role=alertdialog]:visible").last();
const press = (name: string) => (page: Page) => main(page).getByRole("button", { name, exact: true }).first().click();
const fromMenu = (of: (sample: Sample) => string, entry: string) => async (page: Page, sample: Sample) => {
  await page.getByRole("button", { name: t("common.moreActionsFor", { name: of(sample) }), exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
};
const submit = (page: Page) => dialogOf(page).locator("button[type=submit]").click();

/** Opens a dialog by a button and fills in its text fields by label. */
const fill = (fields: Record<string, string>) => async (page: Page) => {
  for (const [label, value] of Object.entries(fields)) {
    await dialogOf(page).getByRole("textbox", { name: label, exact: true }).fill(value);
  }
};
const open =
  (button: string, fields: Record<string, string> = {}) =>
  async (page: Page) => {
    await press(button)(page);
    await fill(fields)(page);
  };

/** The export of a list as CSV, whose dialog closes. */
const csvOf = (operation: OperationPath): Row => ({
  operation,
  send: press(t("common.table.export.action")),
  keeps: "nothing",
});

/** Enters a complete code, which sends it. */
async function enterCode(page: Page): Promise<void> {
  const code = page.getByLabel(t("twoFactor.proof.code"), { exact: true });
  await code.fill("");
  await code.fill("123456");
}

/** A field whose options are searched on the server when it is opened. */
const optionsOf = (operation: OperationPath, openField: (page: Page, sample: Sample) => Promise<void>): Row => ({
  operation,
  send: async (page, sample) => {
    await openField(page, sample);
    await expect(page.getByRole("listbox").getByText(t("common.error.title"))).toBeVisible();
    await page.keyboard.press("Escape");
  },
});

const search = (text: string) => `?search=${encodeURIComponent(text)}`;

const variableRows = (noun: "development" | "secure"): Row[] => [
  {
    operation: `apps/create-${noun}-variable`,
    open: open(t("variables.create"), {
      [t("variables.name")]: "Greeting",
      [t("variables.key")]: "GREETING",
      [t("variables.value")]: "Hello",
    }),
  },
  {
    operation: `apps/update-${noun}-variable`,
    open: async (page, sample) => {
      await fromMenu(() => KEY, t("common.edit"))(page, sample);
      await fill({ [t("variables.name")]: "Payments of the shop" })(page);
    },
  },
  { operation: `apps/delete-${noun}-variable`, open: fromMenu(() => KEY, t("common.delete")) },
];

const PROVIDERS = ["apple", "azure", "github", "gitlab", "google"] as const;

const SCREENS: Screen[] = [
  {
    name: "the applications",
    path: ({ place }) => `/admin-apps${search(place.appName)}`,
    rows: [
      {
        operation: "apps/create-app",
        open: open(t("apps.create"), { [t("apps.name")]: "Meteor", [t("apps.identifier")]: "com.example.meteor" }),
      },
      {
        operation: "files/upload-file",
        open: open(t("apps.create")),
        send: (page) =>
          dialogOf(page)
            .locator("input[type=file]")
            .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from(makeIcon({ size: 64 })) }),
      },
      csvOf("apps/get-apps"),
    ],
  },
  {
    name: "an application",
    path: ({ place }) => `/registered-app?app=${place.appId}`,
    rows: [
      {
        operation: "apps/update-app",
        open: async (page, { place }) => {
          await press(t("apps.update", { name: place.appName }))(page);
          await fill({ [t("apps.name")]: "Comet" })(page);
        },
      },
      {
        operation: "apps/create-environment-app",
        open: open(t("environments.create"), { [t("environments.name")]: "Nightly" }),
      },
      {
        operation: "apps/update-environment-app",
        open: async (page, { place }) => {
          await new AppPage(page).choose(place.environmentName, t("environments.edit"));
          await fill({ [t("environments.name")]: "Nightly" })(page);
        },
      },
    ],
  },
  {
    name: "the releases",
    path: ({ place }) => ReleasesPage.path(place),
    rows: [
      {
        operation: "apps/update-testing-deploy",
        open: async (page, sample) => {
          await fromMenu(() => RELEASE, t("releases.menu.edit"))(page, sample);
          await dialogOf(page).getByLabel(t("releases.fields.description"), { exact: true }).fill("Other notes");
        },
      },
      {
        operation: "apps/delete-testing-deploy",
        open: async (page, sample) => {
          await fromMenu(() => RELEASE, t("releases.menu.delete"))(page, sample);
          await dialogOf(page).getByRole("textbox").fill("2.4.0");
        },
      },
    ],
  },
  {
    name: "the development variables",
    path: ({ place }) => VariablesPage.path("/dev-variables", place),
    rows: [
      ...variableRows("development"),
      {
        operation: "apps/export-variables",
        send: (page) => new VariablesPage(page).export(t("variables.export.dotenv")),
        keeps: "page",
      },
      {
        operation: "apps/import-variables",
        open: async (page) => {
          const variables = new VariablesPage(page);
          await variables.import.click();
          await variables.content.fill("A=1");
        },
        send: (page) => new VariablesPage(page).checkImport.click(),
      },
    ],
  },
  {
    name: "the history of the variables",
    path: ({ place }) => `${VariablesPage.path("/dev-variables", place)}&tab=history`,
    rows: [{ operation: "apps/restore-configuration", open: (page) => new VariablesPage(page).restore(1).click() }],
  },
  {
    name: "the secure variables",
    path: ({ place }) => VariablesPage.path("/secure-variables", place),
    session: "twoFactor",
    rows: [
      ...variableRows("secure"),
      {
        operation: "apps/get-secure-variable",
        send: (page) => new VariablesPage(page).reveal(KEY).click(),
        keeps: "page",
      },
    ],
  },
  {
    name: "the certificates",
    path: ({ place }) => CertificatesPage.path("/secure-certificates", place),
    session: "twoFactor",
    rows: [
      {
        operation: "apps/create-secure-certificate",
        open: async (page) => {
          const certificates = new CertificatesPage(page);
          await certificates.create.click();
          await certificates.chooseFile("tls.pem", certificateSample("chain.pem"));
          await expect(certificates.facts).toBeVisible();
          await certificates.describe({ name: "TLS", key: "TLS" });
        },
      },
      {
        operation: "apps/update-secure-certificate",
        open: async (page, sample) => {
          await fromMenu(() => KEY, t("common.edit"))(page, sample);
          await fill({ [t("certificates.name")]: "Push of the shop" })(page);
        },
      },
      { operation: "apps/delete-secure-certificate", open: fromMenu(() => KEY, t("common.delete")) },
      {
        operation: "apps/get-secure-certificate",
        send: fromMenu(() => KEY, t("certificates.download")),
        keeps: "page",
      },
    ],
  },
  {
    name: "the users",
    path: ({ invitedEmail }) => `${UsersPage.PATH}${search(invitedEmail)}`,
    rows: [
      {
        operation: "auth/register-user",
        open: async (page, { roleName }) => {
          const users = new UsersPage(page);
          await users.create.click();
          await fill({
            [t("profile.firstNames")]: "Grace",
            [t("profile.lastNames")]: "Hopper",
            [t("profile.email")]: "grace@slipway.test",
          })(page);
          await users.form.getByRole("combobox", { name: t("users.provider"), exact: true }).click();
          await page.getByRole("option", { name: t("users.providers.email"), exact: true }).click();
          await users.chooseRole(roleName);
        },
      },
      {
        operation: "auth/update-user",
        open: async (page, sample) => {
          await fromMenu(() => "Ada Lovelace", t("common.edit"))(page, sample);
          await fill({ [t("profile.firstNames")]: "Augusta" })(page);
        },
      },
      optionsOf("config/get-roles", async (page) => {
        if (!(await dialogOf(page).isVisible())) await press(t("users.create"))(page);
        await dialogOf(page)
          .getByRole("combobox", { name: t("profile.role"), exact: true })
          .click();
      }),
      {
        operation: "auth/resend-invitation",
        send: fromMenu(() => "Ada Lovelace", t("users.resend")),
        keeps: "page",
      },
      {
        operation: "auth/invite-users",
        open: async (page, { roleName }) => {
          await press(t("invite.title"))(page);
          const dialog = dialogOf(page);
          await dialog.getByRole("textbox", { name: t("invite.emails"), exact: true }).fill("grace@slipway.test,");
          await dialog.getByRole("radio", { name: t("invite.accessKinds.role"), exact: true }).click();
          await new UsersPage(page).chooseRole(roleName);
        },
      },
      csvOf("auth/get-users"),
    ],
  },
  {
    name: "a user with a second factor",
    path: ({ person }) => `${UsersPage.PATH}${search(person.email)}`,
    rows: [
      {
        operation: "auth/reset-user-two-factor",
        open: async (page) => {
          await page.getByRole("button", { name: new RegExp(t("common.moreActionsFor", { name: "" })) }).click();
          await page.getByRole("menuitem", { name: t("users.resetTwoFactor"), exact: true }).click();
        },
      },
    ],
  },
  {
    name: "the roles",
    path: ({ roleName }) => `${RolesPage.PATH}${search(roleName)}`,
    rows: [
      { operation: "config/create-role", open: open(t("roles.create"), { [t("roles.name")]: "Astronauts" }) },
      {
        operation: "config/update-role",
        open: async (page, { roleName }) => {
          await press(t("roles.update", { name: roleName }))(page);
          await fill({ [t("roles.name")]: "Astronauts" })(page);
        },
      },
    ],
  },
  {
    name: "a role",
    path: ({ roleId }) => `${RolesPage.PATH}?role=${roleId}`,
    rows: [
      {
        operation: "permissions/update-role-access",
        open: async (page) => {
          const everywhere = main(page).getByRole("group", { name: t("people.access.everywhere"), exact: true });
          await everywhere.getByRole("button", { name: t("people.access.levels.tester") }).click();
        },
        send: press(t("people.access.save")),
        keeps: "page",
      },
    ],
  },
  {
    name: "the permissions",
    path: ({ roleName }) => `${PermissionsPage.PATH}${search(roleName)}`,
    rows: [
      {
        operation: "permissions/create-role-permission",
        open: async (page, { roleName }) => {
          const permissions = new PermissionsPage(page);
          await permissions.create.click();
          await permissions.choose(t("permissions.role"), roleName);
          await permissions.scope("environment:read").click();
          await permissions.form.getByRole("radio", { name: t("permissions.allApps"), exact: true }).click();
        },
      },
      {
        operation: "permissions/update-role-permission",
        open: async (page, sample) => {
          await fromMenu(({ roleName }) => roleName, t("common.edit"))(page, sample);
          const permissions = new PermissionsPage(page);
          // The environments of an application are loaded after the dialog.
          const environment = { name: sample.place.environmentName, exact: true };
          await expect(permissions.form.getByRole("checkbox", environment)).toBeChecked();
          await permissions.scope("environment:read").click();
        },
      },
      {
        operation: "permissions/delete-role-permission",
        open: fromMenu(({ roleName }) => roleName, t("common.delete")),
      },
      optionsOf("apps/get-apps", async (page) => {
        const permissions = new PermissionsPage(page);
        if (!(await dialogOf(page).isVisible())) await permissions.create.click();
        await permissions.form.getByRole("combobox", { name: t("permissions.addApp"), exact: true }).click();
      }),
      csvOf("permissions/get-role-permissions"),
    ],
  },
  {
    name: "the platforms",
    path: () => "/admin-platforms",
    rows: [
      {
        operation: "config/create-platform",
        open: async (page) => {
          await open(t("platforms.create"), { [t("platforms.name")]: "Watch" })(page);
          await dialogOf(page)
            .locator("input[type=file]")
            .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from(makeIcon({ size: 64 })) });
          await expect(dialogOf(page).getByRole("img", { name: t("platforms.logo"), exact: true })).toBeVisible();
        },
      },
      {
        operation: "config/update-platform",
        open: async (page) => {
          await press(t("platforms.update", { name: "Android" }))(page);
          await fill({ [t("platforms.name")]: "Androids" })(page);
        },
      },
    ],
  },
  {
    name: "the console's settings",
    path: () => "/admin-app-config",
    rows: [
      {
        operation: "config/update-app-config",
        open: open(t("appConfig.info.edit"), { [t("appConfig.info.name")]: "Meteor" }),
      },
    ],
  },
  {
    name: "the ways to sign in",
    path: () => "/admin-app-config?tab=enable-sso",
    rows: [
      {
        operation: "config/update-auth-provider",
        send: (page) => main(page).getByRole("switch").first().click(),
        keeps: "page",
      },
    ],
  },
  ...PROVIDERS.map(
    (provider): Screen => ({
      name: `the configuration of ${provider}`,
      path: () => `/admin-app-config?tab=configure-sso&provider=${provider}`,
      rows: [
        {
          operation: `config/create-${provider}-config`,
          open: async (page) => {
            await expect(main(page).getByRole("textbox").first()).toBeVisible();
            for (const field of await main(page).getByRole("textbox").all()) {
              const name = (await field.getAttribute("name")) ?? "";
              const value = name === "authority" ? "https://login.microsoftonline.com/example.com" : "ABCDE12345";
              if (name !== "baseUrl") await field.fill(value);
            }
            for (const secret of await main(page).locator("input[type=password]").all()) await secret.fill("x");
          },
          send: press(t("authProviders.configure.save")),
          keeps: "page",
        },
      ],
    }),
  ),
  {
    name: "the API tokens",
    path: () => ApiTokensPage.PATH,
    rows: [
      {
        operation: "config/create-api-token",
        open: async (page, { place }) => {
          const { create, form } = new ApiTokensPage(page);
          await create.click();
          await form.getByLabel(t("apiTokens.name"), { exact: true }).fill("Nightly");
          await form.getByRole("combobox", { name: t("apiTokens.app"), exact: true }).click();
          await page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
          await page.getByRole("option", { name: place.appName }).click();
          await expect(form.getByRole("combobox", { name: t("apiTokens.environment"), exact: true })).toHaveText(
            place.environmentName,
          );
        },
      },
      {
        operation: "apps/get-environments-apps-by-app",
        send: async (page, { place }) => {
          const { create, form } = new ApiTokensPage(page);
          const retry = form.getByRole("button", { name: t("common.retry"), exact: true });
          if (await retry.isVisible()) {
            await retry.click();
            return;
          }
          await create.click();
          await form.getByRole("combobox", { name: t("apiTokens.app"), exact: true }).click();
          await page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
          await page.getByRole("option", { name: place.appName }).click();
        },
        keeps: "nothing",
      },
      {
        operation: "config/delete-api-token",
        open: async (page, { tokenName }) => {
          await press(t("apiTokens.delete", { name: tokenName }))(page);
          await dialogOf(page).getByRole("textbox").fill(tokenName);
        },
      },
      csvOf("config/get-api-tokens"),
    ],
  },
  {
    name: "the license",
    path: () => "/admin-app-config?tab=license",
    rows: [
      {
        operation: "external-services/update-license",
        open: open(t("license.update"), { [t("license.token")]: "a.b.c" }),
      },
    ],
  },
  {
    name: "the audit log",
    path: () => AuditLogPage.PATH,
    rows: [
      { operation: "config/verify-audit-chain", send: press(t("auditLog.chain.verify")), keeps: "page" },
      { operation: "config/get-audit-checkpoint", send: press(t("auditLog.chain.checkpoint")), keeps: "page" },
      csvOf("config/get-audit-logs"),
    ],
  },
  {
    name: "the profile",
    path: () => "/profile",
    session: "twoFactor",
    rows: [
      {
        operation: "auth/update-user-profile",
        open: open(t("profile.edit"), { [t("profile.firstNames")]: "Grace" }),
      },
      {
        operation: "auth/change-password",
        open: async (page) => {
          await press(t("profile.password.change"))(page);
          const fields = dialogOf(page).locator("input[type=password]");
          for (const [index, word] of ["old", "new", "new"].entries()) {
            await fields.nth(index).fill(`seven-Lanterns-42-${word}`);
          }
        },
      },
      {
        operation: "config/get-public-key",
        title: t("auth.publicKeyFailed"),
        open: async (page) => {
          await press(t("profile.password.change"))(page);
          const fields = dialogOf(page).locator("input[type=password]");
          for (const [index, word] of ["old", "new", "new"].entries()) {
            await fields.nth(index).fill(`seven-Lanterns-42-${word}`);
          }
        },
      },
      {
        operation: "auth/logout",
        send: async (page) => {
          const account = new RegExp(t("shell.account.label", { name: "" }));
          await page.getByRole("button", { name: account }).first().click();
          await page.getByRole("menuitem", { name: t("shell.account.signOut"), exact: true }).click();
        },
        keeps: "page",
      },
    ],
  },
  {
    name: "one's passkeys",
    path: () => PasskeysPage.PATH,
    session: "twoFactor",
    rows: [
      { operation: "auth/create-passkey", open: press(t("passkeys.add")) },
      {
        operation: "auth/delete-user-passkey",
        open: (page, { passkeyName }) => new PasskeysPage(page).delete(passkeyName).click(),
      },
    ],
  },
  {
    name: "one's second factor, off",
    path: () => TwoFactorTab.PATH,
    rows: [
      { operation: "auth/enroll-two-factor", send: press(t("twoFactor.begin")), keeps: "page" },
      {
        operation: "auth/validate-two-factor-enrollment",
        open: async (page) => {
          const tab = new TwoFactorTab(page);
          await tab.begin.click();
          await tab.scanned.click();
        },
        send: enterCode,
        keeps: "nothing",
      },
    ],
  },
  {
    name: "one's second factor, on",
    path: () => TwoFactorTab.PATH,
    session: "twoFactor",
    rows: [
      {
        operation: "auth/create-recovery-codes",
        open: async (page) => {
          await press(t("twoFactor.renew.action"))(page);
          await dialogOf(page).getByLabel(t("twoFactor.proof.code"), { exact: true }).fill("123456");
        },
      },
      {
        operation: "auth/delete-two-factor",
        open: async (page) => {
          await press(t("twoFactor.delete.action"))(page);
          await dialogOf(page).getByLabel(t("twoFactor.proof.code"), { exact: true }).fill("123456");
        },
      },
    ],
  },
  {
    name: "the second step of the sign-in",
    path: () => "/two-factor?next=%2Fhome",
    session: "signingIn",
    rows: [
      {
        operation: "auth/validate-two-factor",
        send: enterCode,
        keeps: "page",
      },
    ],
  },
  {
    name: "the sign-in",
    path: () => "/",
    signedOut: true,
    rows: [
      {
        operation: "auth/email-login",
        open: async (page) => {
          const signIn = new SignInPage(page);
          await signIn.email.fill("ada@slipway.test");
          await signIn.password.fill("seven-Lanterns-42-old");
        },
        send: (page) => new SignInPage(page).submit.click(),
        keeps: "page",
      },
      { operation: "auth/login-with-passkey", send: (page) => new SignInPage(page).passkey.click(), keeps: "page" },
    ],
  },
  {
    name: "the request of a recovery link",
    path: () => RecoveryPage.PATH,
    signedOut: true,
    rows: [
      {
        operation: "auth/generate-password-recovery",
        open: (page) => new RecoveryPage(page).email.fill("ada@slipway.test"),
        send: (page) => new RecoveryPage(page).submit.click(),
        keeps: "page",
      },
    ],
  },
  {
    name: "the choice of a new password",
    path: ({ passwordLink }) => passwordLink,
    signedOut: true,
    rows: [
      {
        operation: "auth/update-password",
        open: async (page) => {
          const reset = new ResetPasswordPage(page);
          await reset.password.fill("seven-Lanterns-42-new");
          await reset.confirmation.fill("seven-Lanterns-42-new");
        },
        send: (page) => new ResetPasswordPage(page).submit.click(),
        keeps: "page",
      },
    ],
  },
];

const known = SCREENS.flatMap(({ rows }) => rows.map(({ operation }) => operation));
for (const operation of UNREACHABLE) if (!known.includes(operation)) throw new Error(`no screen sends ${operation}`);

/** Has the calls of one operation fail. */
class FailingServer {
  #failing: { operation: OperationPath; kind: Kind; detail: string } | null = null;

  async install(page: Page): Promise<void> {
    await page.route("**/api/**", async (route) => {
      const failing = this.#failing;
      const path = new URL(route.request().url()).pathname;
      if (path !== `/api/${failing?.operation}` || !failing) await route.fallback();
      else if (failing.kind === "unreachable") await route.abort("connectionrefused");
      else {
        const { detail } = failing;
        const problem = { type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail };
        await route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          json: { ...problem, requestId: "1" },
        });
      }
    });
  }

  fail(operation: OperationPath, kind: Kind, detail: string): void {
    this.#failing = { operation, kind, detail };
  }

  work(): void {
    this.#failing = null;
  }
}

/** What the user has entered, and what is open. */
async function inputOf(scope: Locator): Promise<string[]> {
  return scope.evaluate((element) => {
    const fields = [...element.querySelectorAll<HTMLInputElement>("input:not([type=file]), textarea")];
    const states = [...element.querySelectorAll("[role=checkbox], [role=switch], [role=radio], [role=combobox]")];
    return [
      ...fields.map((field) => `${field.name}=${field.value}`),
      ...states.map((state) => `${state.getAttribute("aria-checked")} ${state.textContent}`),
    ];
  });
}

/** Closes all dialogs and gives up what was entered. */
async function closeDialogs(page: Page): Promise<void> {
  const dialogs = page.locator("[role=dialog]:visible, [role=alertdialog]:visible");
  const discard = page.getByRole("button", { name: t("common.discard.confirm"), exact: true });
  await expect(async () => {
    if (await discard.isVisible()) await discard.click();
    else if (await dialogs.first().isVisible()) await page.keyboard.press("Escape");
    await expect(dialogs).toHaveCount(0, { timeout: 500 });
  }).toPass();
}

/** Closes the notifications, which would lie over the next row's buttons and be taken for its own. */
async function closeNotifications(page: Page): Promise<void> {
  const closeAll = () =>
    page.evaluate(() => {
      const buttons = document.querySelectorAll<HTMLElement>("[data-sonner-toast] [data-close-button]");
      for (const button of buttons) button.click();
    });
  await expect(async () => {
    await closeAll();
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(0, { timeout: 500 });
  }).toPass();
}

const titleOf = (operation: OperationPath) => t(`failures.${operation}` as Parameters<typeof t>[0]);

for (const { name, path, signedOut = false, session, rows } of SCREENS) {
  test.describe(name, () => {
    test.use({ signedIn: !signedOut && !session });

    const operations = rows.map(({ operation }) => operation).join(", ");
    test(`a failure on ${name} is a notification whose title says what could not be done: ${operations}`, async ({
      page,
      sample,
      problems,
    }) => {
      problems.expect(/409/);
      problems.expectLostConnections();
      if (session) await page.context().addCookies(sample.cookies[session]);
      await (await VirtualAuthenticator.addTo(page)).touched(true);
      const server = new FailingServer();
      await server.install(page);
      await page.goto(path(sample));
      await settled(page);
      for (const row of rows) {
        const { operation, send = submit, keeps = "dialog" } = row;
        await test.step(operation, async () => {
          await row.open?.(page, sample);
          const scope = () => (keeps === "dialog" ? dialogOf(page) : main(page));
          const before = row.open && keeps !== "nothing" ? await inputOf(scope()) : null;
          const kinds: Kind[] = UNREACHABLE.has(operation) ? ["refused", "unreachable"] : ["refused"];
          for (const kind of kinds) {
            const detail = `Why ${operation} fails`;
            server.fail(operation, kind, detail);
            await send(page, sample);
            const notification = page.locator("[data-sonner-toast][data-type=error]");
            const title =
              kind === "refused" || row.title ? (row.title ?? titleOf(operation)) : t("clientErrors.network.title");
            await expect(notification.locator("[data-title]"), `${operation} ${kind}`).toHaveText([title]);
            const why = kind === "refused" ? detail : t("clientErrors.network.detail");
            await expect(notification.locator("[data-description]"), `${operation} ${kind}`).toHaveText([why]);
            if (before) expect(await inputOf(scope()), `${operation} ${kind} keeps the input`).toEqual(before);
            await closeNotifications(page);
          }
          server.work();
          await closeDialogs(page);
        });
      }
    });
  });
}
