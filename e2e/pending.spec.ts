import { hold } from "./fixtures/hold";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { ApiTokensPage } from "./pages/api-tokens-page";
import { AppShell } from "./pages/app-shell";
import { PermissionsPage } from "./pages/permissions-page";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { UsersPage } from "./pages/users-page";
import { VariablesPage } from "./pages/variables-page";

test("a pressed link is highlighted, and a bar is shown until its page is there", async ({ page }) => {
  await page.goto("/admin-platforms");
  const shell = new AppShell(page);
  const bar = page.getByRole("progressbar", { name: t("common.loading"), exact: true });
  const releasePeople = await hold(page, /\/admin-users\?.*_rsc/);

  await shell.navigationLink("people").click();
  await expect(bar).toBeVisible();
  await expect(shell.navigationLink("people")).toHaveAttribute("aria-current", "page");
  await expect(shell.navigationLink("platforms")).not.toHaveAttribute("aria-current", "page");
  await expect(shell.heading(t("platforms.title"))).toBeVisible();

  releasePeople();
  await expect(shell.heading(t("people.title"))).toBeVisible();
  await expect(bar).toBeHidden();
});

test("the button of a menu is highlighted while the code of the menu is loaded", async ({ page }) => {
  await page.goto("/admin-platforms");
  const button = page.getByRole("button", { name: t("common.theme.label"), exact: true });
  await expect(button).toHaveAttribute("data-state", "closed");
  const releaseCode = await hold(page, /\/_next\/static\/.*\.js/);
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  await expect(button).toHaveAttribute("data-state", "open");
  releaseCode();
  await expect(page.getByRole("menuitemradio", { name: t("common.theme.dark"), exact: true })).toBeVisible();
  await expect(button).not.toHaveAttribute("aria-busy", "true");
});

test("a button is busy while the code of its dialog is loaded, and says if it could not be, as that of a menu does", async ({
  page,
  context,
  problems,
}) => {
  problems.expectLostConnections();
  problems.expect(/Failed to load chunk|LoadError/);
  const roles = new RolesPage(page);
  await page.goto(RolesPage.PATH);

  // The code of the notifications is loaded once the page is usable.
  await expect(page.getByRole("region", { name: t("common.notifications") })).toBeAttached();
  await context.setOffline(true);
  await roles.create.click();
  await expect(new AppShell(page).notification(t("common.dialogNotLoaded.title"))).toBeVisible();
  const theme = page.getByRole("button", { name: t("common.theme.label"), exact: true });
  await theme.click();
  await expect(new AppShell(page).notification(t("common.error.part"))).toBeVisible();
  await expect(theme).toBeFocused();
  await context.setOffline(false);

  await theme.click();
  await expect(page.getByRole("menuitemradio", { name: t("common.theme.dark"), exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  const releaseCode = await hold(page, /\/_next\/static\/.*\.js/);
  await roles.create.click();
  await expect(roles.create).toHaveAttribute("aria-busy", "true");
  releaseCode();
  await expect(roles.form).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(roles.create).not.toHaveAttribute("aria-busy", "true");
});

test("each link of the navigation is highlighted before its page has answered", SLOW, async ({ page }) => {
  await page.goto("/admin-dashboard");
  const shell = new AppShell(page);
  await settled(page);
  const links = await shell.navigation
    .getByRole("link")
    .evaluateAll((all) =>
      all.map((link) => ({ path: (link as HTMLAnchorElement).pathname, name: link.textContent ?? "" })),
    );
  expect(links.length).toBeGreaterThanOrEqual(8);
  for (const { path, name } of links.filter((link) => link.path !== "/admin-dashboard")) {
    const answer = await hold(page, new RegExp(`${path}\\?.*_rsc`));
    const link = shell.navigation.getByRole("link", { name, exact: true });
    await link.click();
    await expect(link, path).toHaveAttribute("aria-current", "page");
    answer();
    await expect(page, path).toHaveURL(new RegExp(path));
    await settled(page);
  }
});

test(
  "each button that opens a dialog is busy, or the bar is shown, until the code of the dialog is there",
  SLOW,
  async ({ page, place }) => {
    const buttons: [path: string, name: string][] = [
      ["/admin-apps", t("apps.create")],
      ["/admin-platforms", t("platforms.create")],
      [UsersPage.PATH, t("invite.title")],
      [PermissionsPage.PATH, t("permissions.create")],
      [ApiTokensPage.PATH, t("apiTokens.create")],
      ["/admin-app-config", t("appConfig.info.edit")],
      [`/registered-app?app=${place.appId}`, t("environments.create")],
      [VariablesPage.path("/dev-variables", place), t("variables.create")],
      [VariablesPage.path("/dev-variables", place), t("variables.import.action")],
      [ReleasesPage.path(place), t("releases.empty.action")],
      ["/profile", t("profile.edit")],
      ["/profile", t("profile.password.change")],
    ];
    for (const [path, name] of buttons) {
      await page.goto(path);
      await settled(page);
      // What the page itself loads when it is idle.
      await page.waitForLoadState("networkidle");
      const load = await hold(page, /\/_next\/static\/.*\.js/);
      const button = page.getByRole("main").getByRole("button", { name, exact: true }).first();
      await button.click();
      const dialog = page.getByRole("dialog");
      // The code may have come with that of the page.
      const bar = page.getByRole("progressbar", { name: t("common.loading"), exact: true });
      const shows = async () =>
        (await dialog.isVisible()) || (await bar.isVisible()) || (await button.getAttribute("aria-busy")) === "true";
      await expect.poll(shows, { message: `${path}: ${name}` }).toBe(true);
      load();
      await expect(dialog, `${path}: ${name}`).toBeVisible();
    }
  },
);
