import type { Page } from "@playwright/test";
import { aLargeIpa, anIpa } from "../testing/installers";
import { t, textsIn } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { uploadHalfway } from "./fixtures/slow-upload";
import { expect, test } from "./fixtures/test";
import { AppsPage } from "./pages/apps-page";
import { ReleasesPage } from "./pages/releases-page";
import { UploadDialog } from "./pages/upload-dialog";

test.use({ serviceWorkers: "allow" });

/** Waits until the service worker controls the page. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** Everything that the caches contain: the URLs and the bodies that are text. */
function cacheContents(page: Page): Promise<{ url: string; type: string; text: string }[]> {
  return page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const type = response?.headers.get("content-type") ?? "";
        found.push({ url: new URL(request.url).pathname, type, text: (await response?.text()) ?? "" });
      }
    }
    return found;
  });
}

/**
 * Opens a page in a browser that gets an earlier version of the worker. The console's own is the new one, in this browser
 * alone: tests that run at the same time share the console.
 */
async function openWithEarlierVersion(page: Page, path: string): Promise<void> {
  const file = "**/sw.js";
  await page.context().route(file, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `/* an earlier version */\n${await response.text()}` });
  });
  await page.goto(path);
  await controlled(page);
  await page.context().unroute(file);
  await settled(page);
}

const checkForUpdate = (page: Page) =>
  page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
const prompt = (page: Page) => page.getByRole("dialog", { name: t("offline.update.title") });
/** Marks the document, so that a reload is seen. */
const mark = (page: Page) => page.evaluate(() => void document.documentElement.setAttribute("data-marked", ""));
const marked = (page: Page) => page.locator("html[data-marked]");

test("without a connection, the shell says so, and another page is the offline page in the user's language, which loads itself again", async ({
  page,
  context,
  problems,
}) => {
  problems.expectLostConnections();
  problems.expect(/503/);
  await page.goto("/admin-apps");
  await controlled(page);
  await settled(page);
  await context.setOffline(true);
  await expect(page.getByText(t("offline.notice"))).toBeVisible();
  await page.goto("/admin-platforms");
  await expect(page.getByRole("heading", { name: t("offline.page.title") })).toBeVisible();
  await expect(page.getByRole("link", { name: t("offline.page.retry") })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await expect(page.locator("img")).toHaveJSProperty("complete", true);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: t("platforms.title") })).toBeVisible();
  await expect(page.getByText(t("offline.notice"))).toHaveCount(0);

  await page.getByRole("button", { name: new RegExp(`^${t("locale.label")}:`) }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("language")).match("/language"))?.text()))
    .toBe("de");
  await context.setOffline(true);
  await page.goto("/admin-logs");
  await expect(page.getByRole("heading", { name: textsIn("de")("offline.page.title") })).toBeVisible();
  await context.setOffline(false);
});

test("after a journey, the caches contain static files and the language, and nothing of the user", async ({
  page,
  place,
  admin,
}) => {
  const { appId, environmentId, identifier, appName, environmentName } = place;
  const release = await admin.publish(anIpa(identifier, { version: "2.4.0", build: "118" }), {
    environmentId,
    description: "A private note",
  });
  await page.goto("/admin-dashboard");
  await controlled(page);
  for (const path of [
    `/registered-app?app=${appId}`,
    ReleasesPage.path(place),
    `/releases?id=${release.id}`,
    "/profile",
    "/home",
    `/dev-variables?app=${appId}&environment=${environmentId}`,
  ]) {
    await page.goto(path);
    await settled(page);
  }
  const contents = await cacheContents(page);
  const ofPublic =
    /^\/(brand\.svg|favicon\.ico|offline\.js|apple-touch-icon\.png|icon-[\w-]+\.png|platforms\/[\w-]+\.svg)$/;
  const unexpected = contents.filter(
    ({ url }) => !url.startsWith("/_next/static/") && !ofPublic.test(url) && url !== "/language",
  );
  expect(unexpected.map(({ url }) => url)).toEqual([]);
  expect(contents.filter(({ url }) => url.startsWith("/_next/static/")).length).toBeGreaterThan(5);
  expect(contents.filter(({ type }) => /html|json|x-component/.test(type)).map(({ url }) => url)).toEqual([]);
  const all = contents.map(({ text }) => text).join("\n");
  for (const secret of [
    appId,
    appName,
    environmentName,
    identifier,
    release.id,
    "A private note",
    "admin@slipway.test",
  ]) {
    expect(all).not.toContain(secret);
  }
});

test("a new version asks, waits for unsaved work in any tab, and then reloads the page", async ({ page, context }) => {
  await openWithEarlierVersion(page, "/admin-apps");
  await mark(page);
  await checkForUpdate(page);
  await expect(prompt(page)).toBeVisible();
  // Nothing happens by itself.
  await expect(marked(page)).toBeAttached();

  const other = await context.newPage();
  await other.goto("/admin-apps");
  const apps = new AppsPage(other);
  await apps.create.click();
  await other.getByRole("dialog").getByRole("textbox").first().fill("Half typed");

  await prompt(page)
    .getByRole("button", { name: t("offline.update.apply") })
    .click();
  await expect(prompt(page).getByText(t("offline.update.unsaved"))).toBeVisible();
  await expect(marked(page)).toBeAttached();
  await expect(other.getByRole("dialog").getByRole("textbox").first()).toHaveValue("Half typed");

  await other.close({ runBeforeUnload: false });
  // The browser releases the lock of a closed tab a moment later.
  await page.waitForFunction(async () => (await navigator.locks.query()).held?.length === 0);
  await prompt(page)
    .getByRole("button", { name: t("offline.update.apply") })
    .click();
  await expect(marked(page)).toHaveCount(0);
  await settled(page);
  await expect(prompt(page)).toHaveCount(0);
});

test(
  "a new version that comes in the middle of an upload waits for it: the release is published whole",
  SLOW,
  async ({ page, place, admin }, info) => {
    const file = await aLargeIpa(info.outputPath(), place.identifier, 38);
    await openWithEarlierVersion(page, ReleasesPage.path(place));
    await mark(page);
    const dialog = new UploadDialog(page);
    await new ReleasesPage(page).upload.click();
    const speedUp = await uploadHalfway(page, dialog, file);
    // The prompt is behind the dialog of the upload, which goes on without it.
    await page.keyboard.press("Escape");
    await expect(dialog.panel.getByRole("progressbar")).toBeVisible();
    await checkForUpdate(page);
    const apply = prompt(page).getByRole("button", { name: t("offline.update.apply") });
    await apply.click();
    await expect(prompt(page).getByText(t("offline.update.unsaved"))).toBeVisible();
    await expect(marked(page)).toBeAttached();
    await speedUp();
    await expect(dialog.panel.getByText(t("upload.panel.published"), { exact: true })).toBeVisible({ timeout: 60_000 });
    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([{ size: file.size, sha256: file.sha256 }]);
    await apply.click();
    await expect(marked(page)).toHaveCount(0);
    await settled(page);
  },
);

test("a file that is shared with the installed console is published where the user chooses", async ({
  page,
  place,
}) => {
  await page.goto("/home");
  await controlled(page);
  const { bytes } = anIpa(place.identifier, { version: "3.1.0", build: "7" });
  await page.evaluate(
    (content) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action: "/share-target", enctype: "multipart/form-data" });
      const input = Object.assign(document.createElement("input"), { type: "file", name: "file" });
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], "Shared.ipa"));
      input.files = transfer.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    [...bytes],
  );
  await page.waitForURL("**/home");
  await expect(page.getByText(t("offline.shared.title"))).toBeVisible();
  await page.goto(ReleasesPage.path(place));
  await expect(page.getByRole("dialog").getByText(place.identifier).first()).toBeVisible();
});

test("the manifest makes the console installable, in the browser's language", async ({ request }) => {
  const answer = await request.get("/manifest.webmanifest", { headers: { "accept-language": "de" } });
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = await answer.json();
  expect(manifest).toMatchObject({
    name: "Slipway",
    lang: "de",
    start_url: "/",
    display: "standalone",
    share_target: { action: "/share-target", method: "POST", enctype: "multipart/form-data" },
  });
  expect(manifest.shortcuts.length).toBeGreaterThan(0);
  for (const { src } of [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }: { icons: [] }) => icons)]) {
    expect((await request.get(src)).status(), src).toBe(200);
  }
});

test("a browser in which the registration resolves to nothing shows the console without an error", async ({ page }) => {
  await page.addInitScript(() => {
    navigator.serviceWorker.register = async () => {
      document.documentElement.dataset.registered = "";
      return undefined as unknown as ServiceWorkerRegistration;
    };
  });
  await page.goto("/admin-platforms");
  await expect(page.locator("html[data-registered]")).toBeAttached();
  await settled(page);
});
