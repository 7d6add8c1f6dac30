import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { makeIcon } from "@slipway/installers/testing";
import type { OperationPath } from "@/lib/client/operation-types";
import { canary } from "../testing/canaries";
import type { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { ConsoleDatabase } from "./fixtures/database";
import { keptPage } from "./fixtures/kept-page";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { SLOW, slowUnless } from "./fixtures/slow";
import { expect, type Place, test } from "./fixtures/test";
import { stayOnUndo, undoBeforeRefresh, undoButton } from "./fixtures/undo";
import { AppPage } from "./pages/app-page";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { PermissionsPage } from "./pages/permissions-page";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

/** What these tests change is not kept in the browser: they have one page. */
const kept = test.extend({
  context: async ({ browser, adminState }, use) => {
    const page = await keptPage(browser, "administrator of the undos", adminState.cookies);
    await use(page.context());
  },
  page: async ({ context }, use) => use(context.pages()[0] as Page),
});

const word = () => randomBytes(4).toString("hex");
const search = (text: string) => `?search=${encodeURIComponent(text)}`;

/** A change in the console that its notification undoes. */
interface Change {
  /** The page on which it is made. */
  path: string;
  make: (page: Page) => Promise<void>;
  /** The notification of the change. */
  done: string;
  /** What it changes, as the API tells it. */
  read: () => Promise<unknown>;
  /** Somebody else changes the same. */
  interfere: () => Promise<unknown>;
}

interface Context {
  admin: ConsoleClient;
  place: Place;
  database: ConsoleDatabase;
}

interface Undoable {
  what: string;
  /** The operation that undoes it; its failure is the notification's title. */
  operation: OperationPath;
  prepare: (context: Context) => Promise<Change>;
}

const dialogOf = (page: Page) => page.getByRole("dialog");
const submit = (page: Page, label: string) => dialogOf(page).getByRole("button", { name: label, exact: true }).click();

/** Opens the dialog of a row and enters another name. */
async function rename(page: Page, button: string, field: string, name: string, save: string): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: button, exact: true }).first().click();
  await dialogOf(page).getByRole("textbox", { name: field, exact: true }).fill(name);
  await submit(page, save);
}

const SCOPES = ["environment:read"] as const;

/** A role with a permission in a place. */
async function grantedRole({ admin, place }: Context) {
  const role = await admin.command("config/create-role", { name: `Testers ${word()}` });
  const apps = [{ appId: place.appId, environmentIds: [place.environmentId] }];
  const permission = await admin.command("permissions/create-role-permission", {
    roleId: role.id,
    scopes: [...SCOPES],
    apps,
  });
  /** The scopes of each permission that the role has. */
  const read = async () => {
    const { items } = await admin.query("permissions/get-role-permissions-by-role-id", { roleId: role.id });
    return items.map(({ scopes }) => scopes);
  };
  return { role, permission, apps, read, path: `${PermissionsPage.PATH}${search(role.name)}` };
}

const CHANGES: Undoable[] = [
  {
    what: "an application",
    operation: "apps/update-app",
    prepare: async ({ admin, place: { appId, appName } }) => ({
      path: `/registered-app?app=${appId}`,
      make: async (page) => {
        await new AppPage(page).choose(appName, t("common.edit"));
        await dialogOf(page)
          .getByRole("textbox", { name: t("apps.name"), exact: true })
          .fill(`${appName} 2`);
        await submit(page, t("apps.save"));
      },
      done: t("apps.updated", { name: `${appName} 2` }),
      read: async () => (await admin.query("apps/get-app", { id: appId })).name,
      interfere: () => admin.command("apps/update-app", { id: appId, description: "By somebody else" }),
    }),
  },
  {
    what: "an environment",
    operation: "apps/update-environment-app",
    prepare: async ({ admin, place: { appId, environmentId, environmentName } }) => ({
      path: `/registered-app?app=${appId}`,
      make: async (page) => {
        await new AppPage(page).choose(environmentName, t("environments.edit"));
        await dialogOf(page)
          .getByRole("textbox", { name: t("environments.name"), exact: true })
          .fill(`${environmentName} 2`);
        await submit(page, t("environments.save"));
      },
      done: t("environments.updated", { name: `${environmentName} 2` }),
      read: async () => (await admin.query("apps/get-environment-app", { id: environmentId })).name,
      interfere: () =>
        admin.command("apps/update-environment-app", { id: environmentId, identifiers: ["com.example.other"] }),
    }),
  },
  {
    what: "a platform",
    operation: "config/update-platform",
    prepare: async ({ admin }) => {
      const name = `Watch ${word()}`;
      const logoFileId = await admin.uploadImage(makeIcon({ size: 64 }));
      const { id } = await admin.command("config/create-platform", { name, kind: "other", logoFileId });
      return {
        path: `/admin-platforms${search(name)}`,
        make: (page) =>
          rename(page, t("platforms.update", { name }), t("platforms.name"), `${name} 2`, t("platforms.save")),
        done: t("platforms.updated", { name: `${name} 2` }),
        read: async () => (await admin.query("config/get-platform-by-id", { id })).name,
        interfere: () => admin.command("config/update-platform", { id, status: "inactive" }),
      };
    },
  },
  {
    what: "a role's name",
    operation: "config/update-role",
    prepare: async ({ admin }) => {
      const name = `Testers ${word()}`;
      const { id } = await admin.command("config/create-role", { name });
      return {
        path: `/admin-roles?role=${id}`,
        make: (page) => rename(page, t("roles.rename"), t("roles.name"), `${name} 2`, t("roles.save")),
        done: t("roles.updated", { name: `${name} 2` }),
        read: async () => (await admin.query("config/get-roles", { search: name })).items[0]?.name,
        interfere: () => admin.command("config/update-role", { id, name: `${name} 3` }),
      };
    },
  },
  {
    what: "a user",
    operation: "auth/update-user",
    prepare: async ({ admin, database }) => {
      const { id, email } = await database.addPerson([]);
      return {
        path: `${UsersPage.PATH}${search(email)}`,
        make: async (page) => {
          const users = new UsersPage(page);
          await users.fromMenu("Tess Ter", t("common.edit"));
          await users.status.click();
          await users.submit(t("users.save"));
        },
        done: t("users.updated", { name: "Tess Ter" }),
        read: async () => (await admin.query("auth/get-users", { search: email })).items[0]?.status,
        interfere: () => admin.command("auth/update-user", { id, team: "Compilers" }),
      };
    },
  },
  {
    what: "a changed permission",
    operation: "permissions/update-role-permission",
    prepare: async (context) => {
      const { admin } = context;
      const { role, permission, apps, read, path } = await grantedRole(context);
      return {
        path,
        make: async (page) => {
          const permissions = new PermissionsPage(page);
          await permissions.fromMenu(role.name, t("common.edit"));
          await permissions.scope("release:read").click();
          await submit(page, t("permissions.save"));
        },
        done: t("permissions.updated", { name: role.name }),
        read,
        interfere: () =>
          admin.command("permissions/update-role-permission", {
            id: permission.id,
            roleId: role.id,
            scopes: ["release:download"],
            apps,
          }),
      };
    },
  },
  {
    what: "a new permission",
    operation: "permissions/delete-role-permission",
    prepare: async ({ admin, place }) => {
      const role = await admin.command("config/create-role", { name: `Testers ${word()}` });
      const permissionsOfRole = async () =>
        (await admin.query("permissions/get-role-permissions-by-role-id", { roleId: role.id })).items;
      return {
        path: PermissionsPage.PATH,
        make: async (page) => {
          const permissions = new PermissionsPage(page);
          await permissions.create.click();
          await permissions.choose(t("permissions.role"), role.name);
          await permissions.scope("release:read").click();
          await permissions.chooseEnvironment(place.appName, place.environmentName);
          await permissions.submit();
        },
        done: t("permissions.created", { name: role.name }),
        read: async () => (await permissionsOfRole()).length,
        interfere: async () => {
          const [permission] = await permissionsOfRole();
          await admin.command("permissions/update-role-permission", {
            id: permission?.id as string,
            roleId: role.id,
            scopes: ["release:download"],
            apps: [{ appId: place.appId }],
          });
        },
      };
    },
  },
  {
    what: "a deleted permission",
    operation: "permissions/create-role-permission",
    prepare: async (context) => {
      const { role, apps, read, path } = await grantedRole(context);
      return {
        path,
        make: async (page) => {
          await new PermissionsPage(page).fromMenu(role.name, t("common.delete"));
          await new ConfirmDialog(page).button(t("permissions.deleteConfirm")).click();
        },
        done: t("permissions.deleted", { name: role.name }),
        read,
        // The same permission is given again.
        interfere: () =>
          context.admin.command("permissions/create-role-permission", { roleId: role.id, scopes: [...SCOPES], apps }),
      };
    },
  },
  {
    what: "the access of a role",
    operation: "permissions/update-role-access",
    prepare: async (context) => {
      const { admin, place } = context;
      const { role, read } = await grantedRole(context);
      const environment = `${place.appName} · ${place.environmentName}`;
      return {
        path: `/admin-roles?role=${role.id}`,
        make: async (page) => {
          const { main } = new AppShell(page);
          await main
            .getByRole("group", { name: environment, exact: true })
            .getByRole("button", { name: new RegExp(`^${t("presets.publisher.name")}`) })
            .click();
          await main.getByRole("button", { name: t("people.access.save"), exact: true }).click();
        },
        done: t("people.access.saved", { role: role.name }),
        read,
        interfere: () =>
          admin.command("permissions/update-role-access", {
            roleId: role.id,
            places: [{ appId: place.appId, environmentId: place.environmentId, scopes: ["release:download"] }],
          }),
      };
    },
  },
];

/** Makes the change and stays on the notification, which then does not close. */
async function change(page: Page, { path, make, done }: Change): Promise<void> {
  await page.goto(path);
  await settled(page);
  await make(page);
  await expect(new AppShell(page).notification(done)).toBeVisible();
  await stayOnUndo(page);
}

for (const { what, operation, prepare } of CHANGES) {
  kept(
    `${what} is as before after the notification's undo, which is refused after somebody else's change`,
    SLOW,
    async ({ page, admin, place, database, problems }) => {
      problems.expect(/409|422/);
      const undoable = await prepare({ admin, place, database });
      const notification = (title: string) => new AppShell(page).notification(title);

      const before = await undoable.read();
      await change(page, undoable);
      expect(await undoable.read()).not.toEqual(before);
      await undoButton(page).click();
      await expect(notification(t("common.undo.done"))).toBeVisible();
      expect(await undoable.read()).toEqual(before);

      await change(page, undoable);
      await undoable.interfere();
      const theirs = await undoable.read();
      await undoButton(page).click();
      await expect(notification(t(`failures.${operation}` as Parameters<typeof t>[0]))).toBeVisible();
      await expect(notification(t("common.undo.done"))).toHaveCount(0);
      expect(await undoable.read()).toEqual(theirs);
    },
  );
}

test.describe("an undo before the page has been refreshed", () => {
  kept("shows the environment's stored name in its form", async ({ page, place }) => {
    await page.goto(`/environment-app?app=${place.appId}&environment=${place.environmentId}&tab=settings`);
    await settled(page);
    const { main } = new AppShell(page);
    const name = main.getByRole("textbox", { name: t("environments.name"), exact: true });
    await undoBeforeRefresh(page, t("environments.updated", { name: "Customers" }), async () => {
      await name.fill("Customers");
      await main.getByRole("button", { name: t("environments.save"), exact: true }).click();
    });
    await expect(name).toHaveValue(place.environmentName);
  });

  kept("shows the role's stored access, with nothing to save", SLOW, async ({ page, admin }) => {
    const role = await admin.command("config/create-role", { name: `Testers ${word()}` });
    await page.goto(`/admin-roles?role=${role.id}`);
    await settled(page);
    const { main } = new AppShell(page);
    const everywhere = main.getByRole("group", { name: t("people.access.everywhere"), exact: true });
    const tester = everywhere.getByRole("button", { name: new RegExp(`^${t("presets.tester.name")}`) });
    const save = main.getByRole("button", { name: t("people.access.save"), exact: true });
    await undoBeforeRefresh(page, t("people.access.saved", { role: role.name }), async () => {
      await tester.click();
      await save.click();
    });
    await expect(tester).toHaveAttribute("aria-pressed", "false");
    await expect(save).toHaveCount(0);
  });
});

test.describe("a deleted entry of the configuration", () => {
  test.use({ signedIn: false });

  for (const kind of ["development", "secure"] as const) {
    test(
      `a deleted ${kind} variable is restored by the notification's undo, unless its key has been used again`,
      slowUnless(kind === "secure"),
      async ({ page, context, place, database }) => {
        const { environmentId } = place;
        const person = await database.addPerson([]);
        await database.promote(person.id);
        const { client } = await turnOnTwoFactor(baseUrl(), person);
        await context.addCookies((await client.request.storageState()).cookies);
        const value = kind === "secure" ? canary("secure-variable") : "https://api.example.com";
        const create = { environmentId, name: "Payments", key: "PAYMENTS_KEY", value } as const;
        await client.command(`apps/create-${kind}-variable`, create);
        const keys = async () =>
          (await client.query(`apps/get-${kind}-variables`, { environmentId })).items.map(({ key }) => key);
        const variables = new VariablesPage(page);
        const path = VariablesPage.path(kind === "secure" ? "/secure-variables" : "/dev-variables", place);
        const remove = async () => {
          await page.goto(path);
          await variables.fromMenu(create.key, t("common.delete"));
          await new ConfirmDialog(page).button(t("variables.deletion.confirm")).click();
          await stayOnUndo(page);
          await expect(variables.row(create.key)).toHaveCount(0);
        };

        await remove();
        expect(await keys()).toEqual([]);
        await undoButton(page).click();
        await expect(variables.row(create.key)).toBeVisible();
        expect(await keys()).toEqual([create.key]);

        await remove();
        await client.command(`apps/create-${kind}-variable`, { ...create, name: "By somebody else" });
        await undoButton(page).click();
        await expect(
          new AppShell(page).notification(t("configuration.undo.keyInUse", { key: create.key })),
        ).toBeVisible();
        const { items } = await client.query(`apps/get-${kind}-variables`, { environmentId });
        expect(items.map(({ name }) => name)).toEqual(["By somebody else"]);
        await client.dispose();
      },
    );
  }
});
