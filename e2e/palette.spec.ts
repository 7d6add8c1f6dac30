import type { Locator, Page } from "@playwright/test";
import { ConsoleClient } from "./fixtures/console-client";
import { anApk, anIpa } from "./fixtures/installers";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ReleasePage } from "./pages/release-page";
import { UploadDialog } from "./pages/upload-dialog";

/** Opens the palette and types a search. */
async function search(page: Page, text: string): Promise<Locator> {
  const palette = await new AppShell(page).openPalette();
  await palette.getByRole("combobox").fill(text);
  return palette;
}

const option = (palette: Locator, name: string | RegExp) => palette.getByRole("option", { name });

test("releases are found by build number and words of their notes, and the number of results is announced", async ({
  page,
  admin,
  place,
}) => {
  const { environmentId, environmentName, identifier } = place;
  const release = await admin.publish(anIpa(identifier, { version: "2.4.0", build: "118" }), {
    environmentId,
    description: "Fixes the zeppelin mooring",
  });
  await page.goto("/admin-dashboard");
  for (const text of [`zeppelin ${environmentName}`, `118 ${environmentName}`]) {
    const palette = await search(page, text);
    await expect(option(palette, /2\.4\.0 \(118\).*zeppelin/)).toBeVisible();
    await expect(palette.getByRole("status")).toHaveText(/\d+ resultados?/);
    await page.keyboard.press("Escape");
  }
  const palette = await search(page, `mooring ${environmentName}`);
  await option(palette, /2\.4\.0 \(118\)/).click();
  await expect(page).toHaveURL(ReleasePage.path(release.id));
});

test("by keyboard, the newest release of a platform in an environment is shared", async ({ page, admin, place }) => {
  const { environmentId, environmentName, identifier } = place;
  const publish = { environmentId, description: "What changed" };
  await admin.publish(await anApk(identifier, { versionName: "2.4.1", versionCode: 119 }), publish);
  await admin.publish(anIpa(identifier, { version: "2.4.0", build: "118" }), publish);
  await page.goto("/admin-dashboard");
  const palette = await search(page, `compartir ios ${environmentName}`);
  const name = t("nav.actions.shareNewest", { environment: environmentName, platform: "iOS" });
  await expect(option(palette, name)).toBeVisible();
  await expect(option(palette, name)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: t("releases.share.title", { name: "2.4.0 (118)" }), exact: true });
  await expect(dialog).toBeVisible();
});

test("an upload, an application and a token are begun from anywhere", async ({ page, place }) => {
  await page.goto("/admin-users");
  const upload = await search(page, `subir ${place.environmentName}`);
  await option(upload, t("nav.actions.uploadTo", { environment: place.environmentName })).click();
  const dialog = new UploadDialog(page);
  // The palette is a dialog too.
  await expect(dialog.file).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(dialog.file).not.toBeAttached();

  const token = await search(page, `token ${place.environmentName}`);
  await option(token, t("nav.actions.tokenFor", { environment: place.environmentName })).click();
  await expect(page).toHaveURL(/tab=connect/);
  await expect(page.getByRole("dialog")).toContainText(place.appName);
  await page.keyboard.press("Escape");

  const add = await search(page, t("apps.create"));
  await option(add, t("apps.create")).click();
  await expect(page.getByRole("dialog", { name: t("apps.create"), exact: true })).toBeVisible();
});

test("the theme and the language are chosen, also with a typing mistake", async ({ page }) => {
  await page.goto("/home");
  const dark = await search(page, "oscruo");
  await option(dark, new RegExp(t("common.theme.dark"))).click();
  await expect(page.locator("html.dark")).toBeAttached();
  const language = await search(page, "deutsch");
  await option(language, /Deutsch/).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
});

test.describe("a tester", () => {
  test.use({ signedIn: false });

  test("finds only what the role reaches, and no action of administrators", async ({
    page,
    admin,
    place,
    newPlace,
    database,
    context,
    baseURL,
  }) => {
    const other = await newPlace();
    for (const { environmentId, identifier } of [place, other]) {
      await admin.publish(anIpa(identifier, { version: "6.6.6" }), { environmentId, description: "Zephyr" });
    }
    const person = await database.addPerson([{ scopes: ["release:read", "release:download"], appId: place.appId }]);
    const client = await ConsoleClient.signIn(baseURL as string, person);
    await context.addCookies((await client.request.storageState()).cookies);
    await client.dispose();
    await page.goto("/home");
    const palette = await search(page, "zephyr");
    await expect(option(palette, /6\.6\.6/)).toHaveCount(1);
    await expect(option(palette, /6\.6\.6/)).toContainText(place.environmentName);
    await palette.getByRole("combobox").fill(t("apps.create"));
    await expect(palette.getByText(t("shell.palette.empty", { query: t("apps.create") }))).toBeVisible();
  });
});
