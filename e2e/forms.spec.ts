import type { Locator, Page, Request } from "@playwright/test";
import { certificateSample, SAMPLE_PASSWORD } from "@slipway/certificates/testing";
import { makeIcon } from "@slipway/installers/testing";
import { canary } from "../testing/canaries";
import type { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { ConsoleDatabase } from "./fixtures/database";
import { keptPage } from "./fixtures/kept-page";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { slowUnless } from "./fixtures/slow";
import { test as base, expect, type Place } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppPage } from "./pages/app-page";
import { CertificatesPage } from "./pages/certificates-page";
import { PermissionsPage } from "./pages/permissions-page";
import { RolesPage } from "./pages/roles-page";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

interface Fixtures {
  /** An administrator whose second factor is on, and whose session has passed it; the page has it. One for all tests of a worker. */
  owner: ConsoleClient;
}

/** Made for the first test of a worker that needs it. As a fixture of workers, it would start another console. */
let made: Promise<ConsoleClient> | undefined;

async function makeOwner(database: ConsoleDatabase): Promise<ConsoleClient> {
  const person = await database.addPerson([]);
  await database.promote(person.id);
  return (await turnOnTwoFactor(baseUrl(), person)).client;
}

const test = base.extend<Fixtures>({
  owner: async ({ database }, use) => {
    made ??= makeOwner(database);
    await use(await made);
  },

  context: async ({ browser, owner }, use) => {
    const page = await keptPage(browser, "owner of the forms", (await owner.request.storageState()).cookies);
    await use(page.context());
  },

  page: async ({ context }, use) => use(context.pages()[0] as Page),
});

const dialogOf = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).first().click();

/** The errors of a form by the labels of their fields, in the order of the fields. */
function errorsOf(form: Locator): Promise<string[][]> {
  return form.locator("[data-slot=field-error] p").evaluateAll((errors) =>
    errors.map((error) => {
      const field = error.closest("[data-slot=field], fieldset");
      return [field?.querySelector("label, legend")?.textContent ?? "", error.textContent ?? ""];
    }),
  );
}

const REQUIRED = t("validation.requiredField");

/** The forms that `npm test` fills in: fields of every kind, messages of its own, and the status in either gender. */
const QUICK = ["an application", "a permission", "an API token", "a certificate"];

interface Form {
  what: string;
  path: (place: Place) => string;
  /** The button that opens it. */
  open: string;
  submit: string;
  /** Its errors if nothing is entered. */
  errors: readonly (readonly [label: string, message: string])[];
}

const FORMS: readonly Form[] = [
  {
    what: "an application",
    path: () => "/admin-apps",
    open: t("apps.create"),
    submit: t("apps.create"),
    errors: [
      [t("apps.name"), REQUIRED],
      [t("apps.identifier"), REQUIRED],
    ],
  },
  {
    what: "an environment",
    path: ({ appId }) => `/registered-app?app=${appId}`,
    open: t("environments.create"),
    submit: t("environments.create"),
    errors: [[t("environments.name"), REQUIRED]],
  },
  {
    what: "a platform",
    path: () => "/admin-platforms",
    open: t("platforms.create"),
    submit: t("platforms.create"),
    errors: [
      [t("platforms.logo"), REQUIRED],
      [t("platforms.name"), REQUIRED],
    ],
  },
  {
    what: "a user",
    path: () => UsersPage.PATH,
    open: t("invite.title"),
    submit: t("invite.submit"),
    errors: [
      [t("invite.emails"), REQUIRED],
      [t("invite.app"), REQUIRED],
    ],
  },
  {
    what: "a role",
    path: () => RolesPage.PATH,
    open: t("roles.create"),
    submit: t("roles.create"),
    errors: [[t("roles.name"), REQUIRED]],
  },
  {
    what: "a permission",
    path: () => PermissionsPage.PATH,
    open: t("permissions.create"),
    submit: t("permissions.create"),
    errors: [
      [t("permissions.role"), t("validation.roleRequired")],
      [t("permissions.scopes"), t("validation.scopesRequired")],
      [t("permissions.apps"), t("validation.appsRequired")],
    ],
  },
  {
    what: "a development variable",
    path: (place) => VariablesPage.path("/dev-variables", place),
    open: t("variables.create"),
    submit: t("variables.create"),
    errors: [
      [t("variables.name"), REQUIRED],
      [t("variables.key"), REQUIRED],
      [t("variables.value"), REQUIRED],
    ],
  },
  {
    what: "a secure variable",
    path: (place) => VariablesPage.path("/secure-variables", place),
    open: t("variables.create"),
    submit: t("variables.create"),
    errors: [
      [t("variables.name"), REQUIRED],
      [t("variables.key"), REQUIRED],
      [t("variables.value"), REQUIRED],
    ],
  },
  {
    what: "a certificate",
    path: (place) => CertificatesPage.path("/secure-certificates", place),
    open: t("certificates.create"),
    submit: t("certificates.create"),
    errors: [
      [t("certificates.file"), REQUIRED],
      [t("certificates.name"), REQUIRED],
      [t("certificates.key"), REQUIRED],
    ],
  },
  {
    what: "an API token",
    path: () => ApiTokensPage.PATH,
    open: t("apiTokens.create"),
    submit: t("apiTokens.create"),
    errors: [
      [t("apiTokens.name"), REQUIRED],
      [t("apiTokens.app"), REQUIRED],
      [t("apiTokens.environment"), REQUIRED],
    ],
  },
  {
    what: "a license",
    path: () => "/admin-app-config?tab=license",
    open: t("license.add"),
    submit: t("license.add"),
    errors: [[t("license.token"), REQUIRED]],
  },
];

for (const { what, path, open, submit, errors } of FORMS) {
  test(
    `the empty form of ${what} is not sent: it names the required fields and focuses the first`,
    slowUnless(QUICK.includes(what)),
    async ({ page, place }) => {
      const sent: string[] = [];
      const noteSent = (request: Request) => {
        if (request.method() === "POST" && request.url().includes("/api/")) sent.push(request.url());
      };
      page.on("request", noteSent);
      await page.goto(path(place));
      await settled(page);
      await press(page, open);
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: submit, exact: true }).click();
      await expect.poll(() => errorsOf(dialog)).toEqual(errors);
      const isIncomplete = errors.some(([, message]) => message === REQUIRED);
      for (const text of [t("validation.title"), t("validation.required")]) {
        await expect(dialog.getByText(text, { exact: true })).toHaveCount(isIncomplete ? 1 : 0);
      }
      await expect
        .poll(() =>
          dialog.evaluate((form) => {
            const invalid = form.querySelector("[aria-invalid=true]");
            return invalid?.contains(document.activeElement) ?? false;
          }),
        )
        .toBe(true);
      page.off("request", noteSent);
      expect(sent.filter((url) => !/get-|refresh/.test(url))).toEqual([]);
    },
  );
}

interface Switchable {
  what: string;
  gender: "feminine" | "masculine";
  /** Adds one. @returns the path of its list, and its name there */
  add: (owner: ConsoleClient, place: Place) => Promise<{ path: string; name: string }>;
  /** Opens the form of the one with a name. */
  edit: (page: Page, name: string) => Promise<void>;
  save: string;
}

const fromMenu = async (page: Page, name: string, entry: string) => {
  await page.getByRole("button", { name: t("common.moreActionsFor", { name }), exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
};

const KEY = "PAYMENTS_KEY";
const entryOf = ({ environmentId }: Place) => ({ environmentId, name: "Payments", key: KEY });

const SWITCHABLE: readonly Switchable[] = [
  {
    what: "an application",
    gender: "feminine",
    add: async (_, { appName }) => ({ path: `/admin-apps?search=${encodeURIComponent(appName)}`, name: appName }),
    edit: (page, name) => press(page, t("apps.update", { name })),
    save: t("apps.save"),
  },
  {
    what: "a platform",
    gender: "feminine",
    add: async (owner, { identifier }) => {
      const logoFileId = await owner.uploadImage(makeIcon({ size: 64 }));
      const { name } = await owner.command("config/create-platform", { name: identifier, kind: "other", logoFileId });
      return { path: `/admin-platforms?search=${name}`, name };
    },
    edit: (page, name) => press(page, t("platforms.update", { name })),
    save: t("platforms.save"),
  },
  {
    what: "an environment",
    gender: "masculine",
    add: async (_, { appId, environmentName }) => ({ path: `/registered-app?app=${appId}`, name: environmentName }),
    edit: (page, name) => new AppPage(page).choose(name, t("environments.edit")),
    save: t("environments.save"),
  },
  {
    what: "a development variable",
    gender: "feminine",
    add: async (owner, place) => {
      await owner.command("apps/create-development-variable", { ...entryOf(place), value: "1" });
      return { path: VariablesPage.path("/dev-variables", place), name: KEY };
    },
    edit: (page, name) => fromMenu(page, name, t("common.edit")),
    save: t("variables.save"),
  },
  {
    what: "a secure variable",
    gender: "feminine",
    add: async (owner, place) => {
      await owner.command("apps/create-secure-variable", { ...entryOf(place), value: canary("secure-variable") });
      return { path: VariablesPage.path("/secure-variables", place), name: KEY };
    },
    edit: (page, name) => fromMenu(page, name, t("common.edit")),
    save: t("variables.save"),
  },
  {
    what: "a certificate",
    gender: "masculine",
    add: async (owner, place) => {
      await owner.command("apps/create-secure-certificate", {
        ...entryOf(place),
        fileName: "push.p12",
        value: Buffer.from(certificateSample("modern.p12")).toString("base64"),
        password: SAMPLE_PASSWORD,
      });
      return { path: CertificatesPage.path("/secure-certificates", place), name: KEY };
    },
    edit: (page, name) => fromMenu(page, name, t("common.edit")),
    save: t("certificates.save"),
  },
];

for (const { what, gender, add, edit, save } of SWITCHABLE) {
  test(
    `${what} is switched off and on again in its form, and the list says which it is`,
    slowUnless(QUICK.includes(what)),
    async ({ page, place, owner }) => {
      const { path, name } = await add(owner, place);
      await page.goto(path);
      await settled(page);
      const row = page.getByRole("main").getByRole("row").filter({ hasText: name });
      const state = (status: "active" | "inactive") =>
        row.getByText(t(`common.status.${status}`, { gender }), { exact: true });
      await expect(state("active")).toBeVisible();
      for (const next of ["inactive", "active"] as const) {
        await edit(page, name);
        await dialogOf(page)
          .getByRole("switch", { name: t("common.status.label") })
          .click();
        await dialogOf(page).getByRole("button", { name: save, exact: true }).click();
        await expect(dialogOf(page)).toHaveCount(0);
        await expect(state(next)).toBeVisible();
      }
    },
  );
}
