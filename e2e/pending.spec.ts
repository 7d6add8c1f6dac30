import type { Page } from "@playwright/test";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { RolesPage } from "./pages/roles-page";

/** Holds all requests whose URL matches until the returned function is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

// Requests that pass a service worker are not held. It controls a page at some moment after the first load.
test.beforeEach(({ page }) =>
  page.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, "serviceWorker")),
);

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

test("a button is busy while the code of its dialog is loaded, and says if it could not be", async ({
  page,
  context,
  problems,
}) => {
  problems.expectLostConnections();
  problems.expect(/Failed to load chunk|DialogLoadError/);
  const roles = new RolesPage(page);
  await page.goto(RolesPage.PATH);

  // The code of the notifications is loaded once the page is usable.
  await expect(page.getByRole("region", { name: t("common.notifications") })).toBeAttached();
  await context.setOffline(true);
  await roles.create.click();
  await expect(new AppShell(page).notification(t("common.dialogNotLoaded.title"))).toBeVisible();
  await context.setOffline(false);

  const releaseCode = await hold(page, /\/_next\/static\/.*\.js/);
  await roles.create.click();
  await expect(roles.create).toHaveAttribute("aria-busy", "true");
  releaseCode();
  await expect(roles.form).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(roles.create).not.toHaveAttribute("aria-busy", "true");
});
