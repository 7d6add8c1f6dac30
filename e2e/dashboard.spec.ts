import { anApk, anIpa } from "../testing/installers";
import { dropOnPage } from "./fixtures/dropping";
import { t } from "./fixtures/messages";
import { axeViolations } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { UploadDialog } from "./pages/upload-dialog";

test("a dropped installer becomes an application, an environment and a release with one button", async ({
  page,
  admin,
}) => {
  const word = crypto.randomUUID().slice(0, 8);
  const identifier = `com.example.kite${word}`;
  const name = `Kite ${word}`;
  const dialog = new UploadDialog(page);
  const { main } = new AppShell(page);
  const field = (label: "appName" | "environmentName" | "app" | "environment") =>
    dialog.dialog.getByLabel(t(`upload.place.${label}`), { exact: true });

  await test.step("proposes what is new, and publishes", async () => {
    await page.goto("/admin-dashboard");
    await expect(main.getByRole("button", { name: t("upload.action"), exact: true }).first()).toBeEnabled();
    await dropOnPage(page, anIpa(identifier, { name, version: "1.2.0", build: "7" }));
    await expect(field("appName")).toHaveValue(name);
    await expect(field("environmentName")).toHaveValue("Testing");
    await expect(dialog.description).toBeFocused();
    expect(await axeViolations(page)).toEqual([]);
    expect((await admin.query("apps/get-apps", { search: identifier })).items).toEqual([]);
    await dialog.publish("The first one.");
    await expect(dialog.published("1.2.0 (7)")).toBeVisible({ timeout: 30_000 });
    await expect(dialog.dialog.getByRole("img", { name: /QR/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog.dialog).toHaveCount(0);
  });

  await test.step("finds the same place for the next build", async () => {
    await dropOnPage(page, await anApk(identifier, { versionName: "1.3.0", versionCode: 8 }));
    await expect(field("app")).toContainText(name);
    await expect(field("environment")).toContainText("Testing");
    await dialog.publish("The second one.");
    await expect(dialog.published("1.3.0 (8)")).toBeVisible({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    const { items } = await admin.query("apps/get-apps", { search: identifier });
    expect(items).toMatchObject([{ name, environmentCount: 1, releaseCount: 2 }]);
    expect(items[0]?.iconUrl).toContain("/api/files/download-file");
  });

  await test.step("shows both in the newest releases, with the action on the row that has the focus", async () => {
    const row = main.getByRole("listitem").filter({ has: page.getByRole("link", { name: `${name} 1.3.0 (8)` }) });
    await expect(row.first()).toContainText("The second one.");
    await row.first().getByRole("link").focus();
    await page.keyboard.press("Tab");
    await expect(row.first().getByRole("button", { name: t("releases.share.action") })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("img", { name: /QR/ })).toBeVisible();
  });

  await test.step("filters the newest releases by application and platform", async () => {
    const { id } = (await admin.query("apps/get-apps", { search: identifier })).items[0] ?? {};
    await page.goto(`/admin-dashboard?appId=${id}&days=7`);
    const filters = main.getByRole("search", { name: t("dashboard.filters.label"), exact: true });
    await expect(filters.getByRole("button", { name: name })).toBeVisible();
    const releases = main.getByRole("link", { name: new RegExp(`^${name} 1\\.`) });
    await expect(releases).toHaveCount(2);
    await filters.getByRole("button", { name: t("dashboard.filters.platform") }).click();
    await page.getByRole("menuitemradio", { name: "iOS", exact: true }).click();
    await expect(releases).toHaveCount(1);
    await expect(page).toHaveURL(/platformId=/);
  });
});

test("the plots have a table with every day for screen readers", async ({ page }) => {
  await page.goto("/admin-dashboard");
  const { main } = new AppShell(page);
  for (const title of ["plots.adoption", "plots.fetched"] as const) {
    await expect(main.getByRole("table", { name: t(title) }).getByRole("row")).toHaveCount(31);
  }
});

test("an installer of an inactive application is refused before a byte is sent", SLOW, async ({ page, admin }) => {
  const word = crypto.randomUUID().slice(0, 8);
  const identifier = `com.example.off${word}`;
  const app = await admin.command("apps/create-app", { name: `Off ${word}`, identifier, status: "inactive" });
  await page.goto(`/registered-app?app=${app.id}`);
  await expect(new AppShell(page).heading(app.name)).toBeVisible();
  const dialog = new UploadDialog(page);
  await dropOnPage(page, anIpa(identifier));
  await expect(dialog.refusal).toContainText(t("upload.place.inactive", { name: app.name }));
  await expect(dialog.submit).toBeDisabled();
});
