import { randomBytes } from "node:crypto";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { PermissionsPage } from "./pages/permissions-page";
import { ResetPasswordPage } from "./pages/recovery-pages";
import { RolesPage } from "./pages/roles-page";
import { SignInPage } from "./pages/sign-in-page";
import { UsersPage } from "./pages/users-page";

const word = () => randomBytes(4).toString("hex");

test("an administrator creates a role, grants it a permission and invites a user, who sees exactly that until it is revoked", async ({
  page,
  context,
  admin,
  adminState,
  newPlace,
}) => {
  test.slow();
  const [place, other] = [await newPlace(), await newPlace()];
  const hidden = await admin.command("apps/create-environment-app", { appId: place.appId, name: `Live ${word()}` });
  const role = `Testers ${word()}`;
  const email = `grace-${word()}@slipway.test`;
  const password = `lantern ${word()} quay`;
  const shell = new AppShell(page);

  await test.step("makes the role, which reaches nothing yet", async () => {
    await page.goto(RolesPage.PATH);
    const roles = new RolesPage(page);
    await roles.add(role);
    await expect(shell.notification(t("roles.created", { name: role }))).toBeVisible();
    await page.goto(`${RolesPage.PATH}?search=${encodeURIComponent(role)}`);
    await expect(roles.row(role)).toContainText(t("roles.nothing"));
  });

  await test.step("gives it a permission, and reads in plain words what it will reach", async () => {
    await page.goto(PermissionsPage.PATH);
    const permissions = new PermissionsPage(page);
    await permissions.create.click();
    await permissions.choose(t("permissions.role"), role);
    await permissions.scope("release:download").click();
    await expect(permissions.scope("release:read")).toBeChecked();
    await expect(permissions.scope("release:read")).toBeDisabled();
    await permissions.submit();
    await expect(permissions.form.getByText(t("validation.appsRequired"))).toBeVisible();
    await permissions.chooseEnvironment(place.appName, place.environmentName);
    await expect(permissions.sentence).toHaveText(
      `El rol ${role} puede ver y descargar versiones en ${place.environmentName} de ${place.appName}.`,
    );
    await permissions.submit();
    await expect(permissions.form).toHaveCount(0);
    await expect(permissions.row(role)).toContainText(place.appName);
    await expect(permissions.row(role)).toContainText(place.environmentName);
  });

  let invitation = "";
  await test.step("invites the user; without a mail server, the administrator passes on the link", async () => {
    await page.goto(UsersPage.PATH);
    const users = new UsersPage(page);
    await users.invite({ firstNames: "Grace", lastNames: "Hopper", email, role });
    const dialog = page.getByRole("dialog", { name: t("users.invitationLink.title", { name: "Grace Hopper" }) });
    await expect(dialog).toContainText("/reset-password?token=");
    invitation = (await dialog.getByText("/reset-password?token=").textContent()) ?? "";
    await dialog.getByRole("button", { name: t("users.invitationLink.done"), exact: true }).click();
    await page.goto(`${UsersPage.PATH}?search=${encodeURIComponent(email)}`);
    await expect(users.row(email)).toContainText(t("users.invited"));
    await expect(users.row(email)).toContainText(role);
  });

  await test.step("the user chooses a password by the invitation and is signed in", async () => {
    await context.clearCookies();
    await page.goto(invitation);
    const reset = new ResetPasswordPage(page);
    await reset.choose(password);
    await expect(page).toHaveURL("/home");
  });

  const theirs = await context.cookies();
  const client = await ConsoleClient.signIn(baseUrl(), { email, password });
  await test.step("the user sees the one environment of the one application, and nothing else", async () => {
    await expect(shell.main.getByRole("link", { name: place.appName })).toBeVisible();
    await expect(shell.main.getByText(other.appName)).toHaveCount(0);
    for (const key of ["people", "users", "roles", "permissions"] as const) {
      await expect(shell.navigationLink(key)).toHaveCount(0);
    }
    await shell.main.getByRole("link", { name: place.appName }).click();
    await expect(shell.main.getByText(place.environmentName).first()).toBeVisible();
    await expect(shell.main.getByText(hidden.name)).toHaveCount(0);
    const { permissions } = await client.query("auth/get-user-profile", {});
    expect(permissions).toEqual([
      {
        scopes: ["release:read", "release:download"],
        apps: [
          {
            id: place.appId,
            name: place.appName,
            environments: [{ id: place.environmentId, name: place.environmentName }],
          },
        ],
        groups: [],
      },
    ]);
    for (const path of [UsersPage.PATH, RolesPage.PATH, PermissionsPage.PATH]) {
      await page.goto(path);
      await expect(page, path).toHaveURL("/home?notice=administration");
      await expect(page.getByRole("main").getByText(t("home.forAdministrators.title"))).toBeVisible();
    }
  });

  await test.step("the permission is taken, and the next request finds nothing", async () => {
    await client.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    await context.addCookies(adminState.cookies);
    await page.goto(`${PermissionsPage.PATH}?search=${encodeURIComponent(role)}`);
    await new PermissionsPage(page).fromMenu(role, t("common.delete"));
    await new ConfirmDialog(page).button(t("permissions.deleteConfirm")).click();
    await expect(shell.notification(t("permissions.deleted", { name: role }))).toBeVisible();
    const refused = client.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    await expect(refused).rejects.toThrow(/404/);
    await context.addCookies(theirs);
    await page.goto("/home");
    await expect(shell.main.getByText(t("home.empty.title"))).toBeVisible();
  });

  await client.dispose();
});

test.describe("an administrator's own account", () => {
  test.use({ signedIn: false });

  test("is deactivated only after a confirmation; then its sessions end", async ({
    page,
    context,
    admin,
    database,
  }) => {
    const person = await database.addPerson([]);
    const { role } = (await admin.query("auth/get-user-profile", {})).user;
    await admin.command("auth/update-user", { id: person.id, roleId: role.id });
    const client = await ConsoleClient.signIn(baseUrl(), person);
    await context.addCookies((await client.request.storageState()).cookies);
    const name = `${person.firstNames} ${person.lastNames}`;
    const users = new UsersPage(page);
    const question = new ConfirmDialog(page);

    await page.goto(`${UsersPage.PATH}?search=${encodeURIComponent(person.email)}`);
    await expect(users.row(person.email)).toContainText(t("users.you"));
    await users.fromMenu(name, t("common.edit"));
    await users.status.click();
    await expect(users.form.getByText(t("users.self.switchOff"))).toBeVisible();
    await users.submit(t("users.save"));
    await expect(question.dialog).toContainText(t("users.self.switchOff"));
    await question.cancel.click();
    await expect(question.dialog).toHaveCount(0);
    await client.query("auth/get-user-profile", {});

    await users.submit(t("users.save"));
    await question.button(t("users.self.confirm")).click();
    await expect(new SignInPage(page).heading).toBeVisible();
    await expect(client.query("auth/get-user-profile", {})).rejects.toThrow(/401/);
    await client.dispose();
  });
});

test.describe("a user's own sessions", () => {
  test.use({ signedIn: false });

  test("are listed in the profile, and all but the current one are ended at once", async ({
    page,
    context,
    database,
  }) => {
    const person = await database.addPerson([]);
    const [own, other] = [await ConsoleClient.signIn(baseUrl(), person), await ConsoleClient.signIn(baseUrl(), person)];
    await context.addCookies((await own.request.storageState()).cookies);
    await page.goto("/profile");
    const sessions = page.getByRole("list", { name: t("profile.sessions.title") }).getByRole("listitem");
    await expect(sessions).toHaveCount(2);
    await expect(sessions.first()).toContainText(t("profile.sessions.current"));

    await page.getByRole("button", { name: t("profile.sessions.endOthers"), exact: true }).click();
    await new ConfirmDialog(page).button(t("profile.sessions.endOthers")).click();
    await expect(sessions).toHaveCount(1);
    await own.query("auth/get-user-profile", {});
    await expect(other.query("auth/get-user-profile", {})).rejects.toThrow(/401/);
    await Promise.all([own.dispose(), other.dispose()]);
  });
});
