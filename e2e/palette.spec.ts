import type { Locator, Page } from "@playwright/test";
import { TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { dialogPath } from "@/lib/kernel/navigation/requested-dialog";
import { ConsoleClient } from "../testing/console-client";
import { ADMIN } from "../testing/environment.ts";
import { anApk, anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { ReleasePage } from "./pages/release-page";
import { SignInPage } from "./pages/sign-in-page";
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

test(
  "by keyboard, the newest release of a platform in an environment is shared",
  SLOW,
  async ({ page, admin, place }) => {
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
  },
);

test("an upload, an application and a token are begun from anywhere", SLOW, async ({ page, place }) => {
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
  await expect(page).toHaveURL(/\/admin-apps$/);
  await page.keyboard.press("Escape");

  const invite = await search(page, t("invite.title"));
  await option(invite, t("invite.title")).click();
  await expect(page.getByRole("dialog", { name: t("invite.title"), exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/admin-users$/);
});

test(
  "a dialog that an address asks for opens after a reload, however long the page and the dialog take to load",
  SLOW,
  async ({ page, place }) => {
    const path = dialogPath(`/environment-app?app=${place.appId}&environment=${place.environmentId}`, "upload");
    // The code of dialogs is not part of the first load. It arrives only after the reload.
    const document = await (await page.request.get(path)).text();
    let held = true;
    await page.route(/\/_next\/static\/chunks\//, async (route) => {
      const isOfDocument = document.includes(new URL(route.request().url()).pathname.replace("/_next/", ""));
      if (isOfDocument || !held) await route.continue();
    });
    await page.goto(path);
    await expect(page).toHaveURL(/open=upload/);
    held = false;
    await page.reload();
    await expect(new UploadDialog(page).file).toBeAttached();
    await expect(page).toHaveURL((url) => !url.searchParams.has("open") && url.searchParams.has("environment"));
    await page.keyboard.press("Escape");
    await expect(new UploadDialog(page).file).not.toBeAttached();
    await page.reload();
    await new AppShell(page).openPalette();
    await expect(new UploadDialog(page).file).not.toBeAttached();
  },
);

test("a token for an environment is begun by an address, with what it is for", SLOW, async ({ page, place }) => {
  const details = { purpose: "ios", environment: place.environmentId };
  await page.goto(dialogPath(TOKENS_PATH, "create-token", details));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(place.appName);
  await expect(dialog.getByRole("radio", { checked: true })).toHaveAccessibleName(
    new RegExp(t("apiTokens.purposes.ios.name")),
  );
  await expect(page).toHaveURL(new RegExp(`${TOKENS_PATH.replace("?", "\\?")}$`));
});

test("an address opens no dialog that it cannot name", SLOW, async ({ page }) => {
  await page.goto("/admin-apps?open=delete-app");
  await new AppShell(page).openPalette();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

test.describe("without a session", () => {
  test.use({ signedIn: false });

  test("a dialog that an address asks for opens after the sign-in", SLOW, async ({ page }) => {
    await page.goto(dialogPath("/admin-apps", "create-app"));
    await new SignInPage(page).signIn(ADMIN);
    await expect(page.getByRole("dialog", { name: t("apps.create"), exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/admin-apps$/);
  });
});

test("the theme and the language are chosen, also with a typing mistake", SLOW, async ({ page }) => {
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
