import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../lib/kernel/time.ts";
import { dataDir } from "../testing/environment.ts";
import { anApk, anIpa, sha256Of, sha256OfFile } from "../testing/installers";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { stayOnUndo, undoButton } from "./fixtures/undo";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { copyButton } from "./pages/copy-button";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** A day in the browser's zone, `YYYY-MM-DD`; Spain's is at most two hours off, which the tests stay clear of. */
function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

test(
  "the list is filtered by platform, version and date in its URL: a reload shows the same",
  SLOW,
  async ({ page, place, admin, database }) => {
    const { environmentId } = place;
    const publish = { environmentId, description: "What changed" };
    const old = await admin.publish(anIpa(place.identifier, { version: "1.0.0", build: "1" }), publish);
    await admin.publish(anIpa(place.identifier, { version: "2.0.0", build: "2" }), publish);
    const apk = await admin.publish(await anApk(place.identifier, { versionName: "2.0.0", versionCode: 3 }), publish);
    const monthAgo = new Date(Date.now() - 30 * DAY_MS);
    await database.backdateRelease(old.id, monthAgo);
    const releases = new ReleasesPage(page);
    await page.goto(ReleasesPage.path(place));
    await expect(releases.rows).toHaveCount(3);

    await test.step("by platform", async () => {
      await releases.filterByPlatform("Android");
      await expect(releases.rows).toHaveCount(1);
      await expect(releases.row("2.0.0 (3)")).toBeVisible();
      expect(new URL(page.url()).searchParams.get("platformId")).toBe(apk.platform.id);
      await page.reload();
      await expect(releases.rows).toHaveCount(1);
      await expect(releases.row("2.0.0 (3)")).toBeVisible();
    });

    await test.step("by version, which is searched by its beginning", async () => {
      await page.getByRole("button", { name: t("common.table.clearFilters") }).click();
      await expect(releases.rows).toHaveCount(3);
      await releases.filterByVersion("1.0.0", "1.");
      await expect(releases.rows).toHaveCount(1);
      await expect(releases.row("1.0.0 (1)")).toBeVisible();
      expect(new URL(page.url()).searchParams.get("version")).toBe("1.0.0");
      await page.reload();
      await expect(releases.rows).toHaveCount(1);
    });

    await test.step("by date, back to a month ago", async () => {
      await page.getByRole("button", { name: t("common.table.clearFilters") }).click();
      await expect(releases.rows).toHaveCount(3);
      const [from, to] = [
        day(new Date(monthAgo.getTime() - 3 * DAY_MS)),
        day(new Date(monthAgo.getTime() + 3 * DAY_MS)),
      ];
      await releases.filterByDate(from, to);
      await expect(releases.rows).toHaveCount(1);
      await expect(releases.row("1.0.0 (1)")).toBeVisible();
      const { searchParams } = new URL(page.url());
      expect([searchParams.get("from"), searchParams.get("to")]).toEqual([from, to]);
      await page.reload();
      await expect(releases.rows).toHaveCount(1);
      await expect(releases.row("1.0.0 (1)")).toBeVisible();
    });

    await test.step("where nothing matches, it says so and leads back", async () => {
      await releases.filterByPlatform("Android");
      await expect(page.getByText(t("common.table.noMatchTitle"))).toBeVisible();
      await page.goBack();
      await expect(releases.row("1.0.0 (1)")).toBeVisible();
    });
  },
);

test(
  "a search finds releases by version and description, and stays in the URL",
  SLOW,
  async ({ page, place, admin }) => {
    const { environmentId } = place;
    await admin.publish(anIpa(place.identifier, { version: "1.0.0", build: "1" }), {
      environmentId,
      description: "Fixes the lantern",
    });
    await admin.publish(anIpa(place.identifier, { version: "2.0.0", build: "2" }), {
      environmentId,
      description: "Paints the quay",
    });
    const releases = new ReleasesPage(page);
    await page.goto(ReleasesPage.path(place));
    const search = page.getByRole("searchbox", { name: t("common.table.search") });
    await search.fill("LANTERN");
    await expect(releases.rows).toHaveCount(1);
    await expect(releases.row("1.0.0 (1)")).toBeVisible();
    await expect(page).toHaveURL(/search=LANTERN/);
    await page.reload();
    await expect(search).toHaveValue("LANTERN");
    await expect(releases.rows).toHaveCount(1);
    await search.fill("2.0.0");
    await expect(releases.row("2.0.0 (2)")).toBeVisible();
    await expect(releases.rows).toHaveCount(1);
  },
);

test("a release is shared by a QR code and by a link to its page", async ({ page, place, admin }) => {
  const release = await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
    environmentId: place.environmentId,
    description: "What changed",
  });
  const releases = new ReleasesPage(page);
  await page.goto(ReleasesPage.path(place));
  await releases.share("2.4.0 (118)").click();
  const dialog = page.getByRole("dialog", { name: t("releases.share.title", { name: "2.4.0 (118)" }), exact: true });
  await expect(
    dialog.getByRole("img", { name: t("releases.share.qr", { name: "Example 2.4.0 (118)" }) }),
  ).toBeVisible();
  await expect(dialog.getByText(release.installUrl, { exact: true })).toBeVisible();
  await copyButton(dialog, t("releases.share.link")).click();
  await expect(dialog.getByRole("button", { name: t("common.copy.done") })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(release.installUrl);

  await dialog.getByRole("button", { name: t("common.qr.copy"), exact: true }).click();
  await expect(dialog.getByRole("button", { name: t("common.qr.copied"), exact: true })).toBeVisible();
  const kinds = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
  expect(kinds).toEqual(["image/png"]);

  await page.goto(copied);
  await expect(new ReleasePage(page).heading("2.4.0 (118)")).toBeVisible();
});

test("the download is the published file, byte for byte, under its custom name", async ({ page, place, admin }) => {
  const ipa = anIpa(place.identifier, { version: "2.4.0", build: "118" });
  await admin.publish(ipa, {
    environmentId: place.environmentId,
    description: "What changed",
    fileName: "Órbita für «alle».ipa",
  });
  const releases = new ReleasesPage(page);
  await page.goto(ReleasesPage.path(place));
  const downloading = page.waitForEvent("download");
  await releases.chooseFromMenu("2.4.0 (118)", t("releases.menu.download"));
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Órbita für «alle».ipa");
  expect(await sha256OfFile(await download.path())).toBe(sha256Of(ipa.bytes));
});

test("a release's description can be changed; what its installer says cannot", SLOW, async ({ page, place, admin }) => {
  const release = await admin.publish(anIpa(place.identifier, { version: "2.4.0", build: "118" }), {
    environmentId: place.environmentId,
    description: "What changed",
  });
  const releases = new ReleasesPage(page);
  await page.goto(ReleasesPage.path(place));
  await releases.chooseFromMenu("2.4.0 (118)", t("releases.menu.edit"));
  const dialog = page.getByRole("dialog", { name: t("releases.edit.title", { name: "2.4.0 (118)" }), exact: true });
  await dialog.getByLabel(t("releases.fields.description"), { exact: true }).fill("What really changed");
  await dialog.getByLabel(t("releases.fields.fileName")).fill("Orbit.ipa");
  await dialog.getByRole("switch", { name: t("releases.fields.iosEnabled") }).click();
  await dialog.getByRole("button", { name: t("releases.metadata.add"), exact: true }).click();
  await dialog.getByLabel(t("releases.metadata.key", { number: 1 })).fill("gitBranch");
  await dialog.getByLabel(t("releases.metadata.value", { number: 1 })).fill("main");
  await dialog.getByRole("button", { name: t("releases.edit.save"), exact: true }).click();
  await expect(new AppShell(page).notification(t("releases.edit.done", { name: "2.4.0 (118)" }))).toBeVisible();
  await expect(releases.row("2.4.0 (118)")).toContainText("What really changed");
  expect(await admin.query("apps/get-testing-deploy-by-id", { id: release.id })).toMatchObject({
    description: "What really changed",
    fileName: "Orbit.ipa",
    iosEnabled: false,
    metadata: { gitBranch: "main" },
    version: "2.4.0",
    buildNumber: "118",
  });
});

test("a release is deleted after its version has been typed; its file is removed, and its link answers not found", async ({
  page,
  place,
  admin,
  database,
  problems,
}) => {
  // A page that is found missing while it streams is finished by the browser, which React reports as #419.
  problems.expect(/404|#419/);
  const { name, bytes } = anIpa(place.identifier, { version: "2.4.0", build: "118" });
  const release = await admin.publish({ name, bytes }, { environmentId: place.environmentId, description: "Wrong" });
  const stored = (await database.filesNamed(name))[0];
  const file = join(dataDir(), "files", stored?.storageKey ?? "");
  expect(await exists(file)).toBe(true);

  const releases = new ReleasesPage(page);
  await page.goto(ReleasesPage.path(place));
  await releases.chooseFromMenu("2.4.0 (118)", t("releases.menu.delete"));
  const question = new ConfirmDialog(page);
  const confirm = question.button(t("releases.delete.confirm"));
  await confirm.click();
  const shell = new AppShell(page);
  const notice = shell.notification(t("releases.delete.doneBuild", { name: "2.4.0 (118)" }));
  await expect(notice).toBeVisible();
  await stayOnUndo(page);
  await expect(page.getByText(t("releases.empty.title"))).toBeVisible();
  await undoButton(page).click();
  await expect(shell.notification(t("releases.delete.restored", { count: 1 }))).toBeVisible();

  await releases.chooseFromMenu("2.4.0 (118)", t("releases.menu.delete"));
  await confirm.click();
  await expect(page.getByText(t("releases.empty.title"))).toBeVisible();
  await page.goto(`/bin?app=${place.appId}`);
  await expect(page.getByText(name)).toBeVisible();
  await page.getByRole("button", { name: t("bin.clear") }).click();
  await question.name.fill(place.appName);
  await question.button(t("bin.clear")).click();
  await expect(page.getByText(t("bin.empty.title"))).toBeVisible();

  await expect.poll(() => exists(file)).toBe(false);
  await expect.poll(() => database.filesNamed(name)).toEqual([]);
  await page.goto(ReleasePage.path(release.id));
  await expect(page.getByRole("heading", { name: t("shell.notFound.title") })).toBeVisible();
});

test(
  "a page of an unknown environment answers the not-found page, not an error",
  SLOW,
  async ({ page, place, newPlace, problems }) => {
    // A page that is found missing while it streams is finished by the browser, which React reports as #419.
    problems.expect(/404|#419/);
    const other = await newPlace();
    const paths = [
      ReleasesPage.path({ appId: place.appId, environmentId: other.environmentId }),
      ReleasesPage.path({ appId: place.appId, environmentId: "01a1f000-0000-7000-8000-000000000000" }),
      ReleasesPage.path({ appId: "no-id", environmentId: "no-id" }),
      `/registered-app?app=01a1f000-0000-7000-8000-000000000000`,
      ReleasePage.path("01a1f000-0000-7000-8000-000000000000"),
      ReleasePage.path("no-id"),
      "/no-such-page",
    ];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: t("shell.notFound.title") }), path).toBeVisible();
    }
  },
);
