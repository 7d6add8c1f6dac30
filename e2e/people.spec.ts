import { randomBytes } from "node:crypto";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { stayOnUndo, undoButton } from "./fixtures/undo";
import { AppShell } from "./pages/app-shell";
import { RolesPage } from "./pages/roles-page";
import { SignInPage } from "./pages/sign-in-page";
import { UsersPage } from "./pages/users-page";

const word = () => randomBytes(4).toString("hex");

test("an administrator invites two people to an application: they get exactly that access, and a link each", async ({
  page,
  place,
  admin,
  problems,
}) => {
  problems.expect(/409/);
  const emails = [`ada-${word()}@slipway.test`, `grace-${word()}@slipway.test`];
  await page.goto(UsersPage.PATH);
  await page.getByRole("button", { name: t("invite.title"), exact: true }).click();
  const form = page.getByRole("dialog", { name: t("invite.title"), exact: true });
  await form.getByRole("textbox", { name: t("invite.emails"), exact: true }).fill(emails.join(", "));
  await form.getByRole("combobox", { name: t("invite.app"), exact: true }).click();
  await page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
  await page.getByRole("option", { name: place.appName }).click();
  await expect(form.locator("output")).toContainText(place.appName);
  await form.getByRole("button", { name: t("invite.submit"), exact: true }).click();

  const links = page.getByRole("dialog", { name: t("users.invitationLink.titleMany", { count: 2 }), exact: true });
  await expect(links.getByText("/reset-password?token=")).toHaveCount(2);
  for (const email of emails) await expect(links.getByText(email, { exact: true })).toBeVisible();
  await links.getByRole("button", { name: t("users.invitationLink.done"), exact: true }).click();
  const { items } = await admin.query("auth/get-users", { search: emails[0] });
  const roleId = items[0]?.role.id as string;
  const { items: permissions } = await admin.query("permissions/get-role-permissions-by-role-id", { roleId });
  expect(permissions).toEqual([
    expect.objectContaining({
      scopes: ["release:download"],
      apps: [{ id: place.appId, name: place.appName, environments: "all" }],
    }),
  ]);

  await test.step("somebody who has an account is named in the dialog, and nothing is done", async () => {
    await page.getByRole("button", { name: t("invite.title"), exact: true }).click();
    await form.getByRole("textbox", { name: t("invite.emails"), exact: true }).fill(emails[0] as string);
    await form.getByRole("combobox", { name: t("invite.app"), exact: true }).click();
    await page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
    await page.getByRole("option", { name: place.appName }).click();
    await form.getByRole("button", { name: t("invite.submit"), exact: true }).click();
    await expect(form.getByText(t("validation.emailTaken", { email: emails[0] as string }))).toBeVisible();
  });
});

test(
  "a role's access is set in a table of places and presets, and saved in one step",
  SLOW,
  async ({ page, place, admin }) => {
    const role = await admin.command("config/create-role", { name: `Testers ${word()}` });
    await page.goto(`${RolesPage.PATH}?role=${role.id}`);
    const main = new AppShell(page).main;
    await main.getByRole("combobox", { name: t("people.access.addApp"), exact: true }).click();
    await page.getByPlaceholder(t("common.table.searchPlaceholder"), { exact: true }).fill(place.appName);
    await page.getByRole("option", { name: place.appName }).click();

    const app = main.getByRole("group", { name: place.appName, exact: true });
    const environment = main.getByRole("group", { name: `${place.appName} · ${place.environmentName}`, exact: true });
    const level = (preset: "viewer" | "tester" | "publisher" | "maintainer") =>
      new RegExp(`^${t(`presets.${preset}.name`)}`);
    await app.getByRole("button", { name: level("viewer") }).click();
    await environment.getByRole("button", { name: level("publisher") }).click();
    await expect(environment.getByRole("button", { name: level("viewer") })).toBeDisabled();
    await expect(main.getByText(t("people.access.unsaved", { count: 2 }), { exact: true })).toBeVisible();
    await main.getByRole("button", { name: t("people.access.save"), exact: true }).click();
    await expect(new AppShell(page).notification(t("people.access.saved", { role: role.name }))).toBeVisible();
    await stayOnUndo(page);
    const { items } = await admin.query("permissions/get-role-permissions-by-role-id", { roleId: role.id });
    expect(items.map(({ scopes }) => scopes).sort()).toEqual(
      [["release:read"], ["release:download", "release:create", "release:update", "environment:read"]].sort(),
    );

    await undoButton(page).click();
    await expect(new AppShell(page).notification(t("common.undo.done"))).toBeVisible();
    const undone = await admin.query("permissions/get-role-permissions-by-role-id", { roleId: role.id });
    expect(undone.items).toEqual([]);
  },
);

test("a notification covers neither the primary button of its page nor the account menu", async ({ page }) => {
  const roles = new RolesPage(page);
  await page.goto(RolesPage.PATH);
  const name = `Role ${word()}`;
  await roles.add(name);
  const notification = new AppShell(page).notification(t("roles.created", { name }));
  await expect(notification).toBeVisible();
  const isCovered = (selector: string) =>
    page.evaluate((query) => {
      const button = [...document.querySelectorAll(query)].find((each) => each.getBoundingClientRect().width > 0);
      const box = button?.getBoundingClientRect();
      if (!box) return "no button";
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return button?.contains(top) ? "free" : "covered";
    }, selector);
  await expect.poll(() => isCovered("main [data-variant=primary]")).toBe("free");
});

test("a password is changed in the profile with the current one", async ({ page, database, problems }) => {
  problems.expect(/422/);
  const person = await database.addPerson([]);
  await page.context().clearCookies();
  await page.goto("/profile");
  await new SignInPage(page).signIn(person);
  await page.getByRole("button", { name: t("profile.password.change"), exact: true }).click();
  const form = page.getByRole("dialog");
  const current = form.getByLabel(t("profile.password.current"), { exact: true });
  await current.fill("not the password");
  await form.getByLabel(t("newPassword.newPassword"), { exact: true }).fill("a lantern on the quay");
  await form.getByLabel(t("newPassword.confirmation"), { exact: true }).fill("a lantern on the quay");
  const submit = form.getByRole("button", { name: t("profile.password.change"), exact: true });
  await submit.click();
  await expect(form.getByText(t("validation.wrongPassword"))).toBeVisible();
  await expect(current).toBeFocused();
  await current.fill(person.password);
  await submit.click();
  await expect(new AppShell(page).notification(t("profile.password.changed"))).toBeVisible();
  await expect(form).toHaveCount(0);
});
