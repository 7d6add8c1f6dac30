import { devices } from "@playwright/test";
import { DAY_MS } from "@/lib/kernel/time";
import { baseUrl } from "../testing/environment.ts";
import { anAab, anApk, anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ReleasesPage } from "./pages/releases-page";
import { RolesPage } from "./pages/roles-page";
import { SignInPage } from "./pages/sign-in-page";

const UNKNOWN_ID = "0198c0de-0000-7000-8000-00000000dead";

test("an error is shown while the browser is offline, even if it is the first notification", async ({
  page,
  context,
  problems,
}) => {
  problems.expectLostConnections();
  await page.goto(RolesPage.PATH);
  // The region is there as soon as notifications can be shown.
  await expect(page.getByRole("region", { name: t("common.notifications") })).toBeAttached();
  const roles = new RolesPage(page);
  await roles.create.click();
  // The code that checks the form is loaded after its dialog. It is there when it has found an error.
  await roles.name.press("Enter");
  await expect(roles.form.getByText(t("validation.requiredField"), { exact: true })).toBeVisible();
  await roles.name.fill("Offline");
  await context.setOffline(true);
  await roles.name.press("Enter");
  await expect(roles.form.getByRole("alert")).toContainText(t("clientErrors.network.title"));
  await context.setOffline(false);
});

test("a release keeps its place, and its link says that no phone can open localhost", async ({
  page,
  admin,
  place,
}) => {
  const { environmentId, identifier } = place;
  const release = await admin.publish(await anApk(identifier), { environmentId, description: "What changed" });
  await page.goto(`/releases?id=${release.id}`);
  const shell = new AppShell(page);
  await expect(page.getByRole("button", { name: `${t("shell.appSwitcher.label")}: ${place.appName}` })).toBeVisible();
  await expect(shell.navigationLink("apps")).toHaveAttribute("aria-current", "page");
  await expect(shell.navigationLink("home")).not.toHaveAttribute("aria-current");
  await expect(page.getByText(t("install.loopback.title"))).toBeVisible();
});

test.describe("an unknown link", () => {
  test.use({ signedIn: false });

  test("names the account, and another account can return to it", async ({ page, database, place, problems }) => {
    // A page that is not found is an error in React's server stream.
    problems.expect(/404|#419/);
    const unknown = `/releases?id=${UNKNOWN_ID}`;
    const main = page.getByRole("main");
    const grants = [{ scopes: ["release:read" as const], appId: place.appId }];
    const [one, other] = [await database.addPerson(grants), await database.addPerson(grants)];
    await page.goto(unknown);
    await new SignInPage(page).signIn(one);
    await expect(main).toContainText(t("shell.notFound.account", { email: one.email }));
    await expect(main).toContainText(t("shell.notFound.ask"));
    await page.getByRole("button", { name: t("shell.notFound.switchAccount"), exact: true }).click();
    await new SignInPage(page).signIn(other);
    await expect(page).toHaveURL(unknown);
    await expect(main).toContainText(t("shell.notFound.account", { email: other.email }));
  });
});

test(
  "on a phone, only releases that install there have a button to install",
  SLOW,
  async ({ browser, admin, place }) => {
    const { environmentId, identifier } = place;
    await admin.publish(await anApk(identifier, { versionName: "2.4.0" }), { environmentId, description: "APK" });
    await admin.publish(anAab(identifier, { versionName: "2.4.1" }), { environmentId, description: "Bundle" });
    await admin.publish(anIpa(identifier, { version: "2.4.2" }), { environmentId, description: "iOS" });
    const context = await browser.newContext({
      ...devices["Pixel 7"],
      baseURL: baseUrl(),
      locale: "es",
      storageState: await admin.request.storageState(),
    });
    const phone = await context.newPage();
    await phone.goto(ReleasesPage.path(place, "/releases"));
    const install = phone.getByRole("button", { name: new RegExp(`^${t("install.action")} `) });
    await expect(install).toHaveCount(1);
    await expect(install).toContainText("2.4.0");
    await context.close();
  },
);

test(
  "the releases fit at 1024 px, with the warning of a profile that ends soon below the text",
  SLOW,
  async ({ page, admin, place }) => {
    const { environmentId, identifier } = place;
    const soon = new Date(Date.now() + 5 * DAY_MS);
    const ipa = anIpa(identifier, { profile: { type: "ad-hoc", devices: 3, expires: soon } });
    await admin.publish(ipa, {
      environmentId,
      description: "A long description of what has changed since the last build",
    });
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.goto(ReleasesPage.path(place, "/testing-deploys"));
    const badge = page.getByRole("row").locator("[data-slot=badge]").last();
    await expect(badge).toBeVisible();
    const overlaps = await badge.evaluate((element) => {
      const box = element.getBoundingClientRect();
      const cell = element.closest("td") as HTMLElement;
      const end = cell.getBoundingClientRect().right;
      return {
        beyond: Math.max(0, Math.round(box.right - end)),
        sideways: document.documentElement.scrollWidth - innerWidth,
      };
    });
    expect(overlaps).toEqual({ beyond: 0, sideways: 0 });
  },
);

test("the summary of a permission covers no field", SLOW, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin-permissions");
  await page
    .getByRole("main")
    .getByRole("button", { name: t("permissions.create"), exact: true })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  const summary = dialog.locator("output");
  await expect(summary).toBeVisible();
  const body = dialog.locator("[data-slot=dialog-body]");
  const [fields, words] = [await body.boundingBox(), await summary.boundingBox()];
  expect((fields?.y ?? 0) + (fields?.height ?? 0)).toBeLessThanOrEqual(words?.y ?? 0);
});
