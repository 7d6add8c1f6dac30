import { randomBytes } from "node:crypto";
import { makeIcon } from "@slipway/installers/testing";
import { ADMIN } from "../testing/environment.ts";
import { anAab, anApk, anIpa, inFolder, sha256Of } from "../testing/installers";
import { dropOnPage } from "./fixtures/dropping";
import { fileChooserByKeyboard, pressByKeyboard, tabTo } from "./fixtures/keyboard";
import { t } from "./fixtures/messages";
import { SentRequests, UPLOAD_REQUESTS } from "./fixtures/sent-requests";
import { expect, test } from "./fixtures/test";
import { AppPage } from "./pages/app-page";
import { AppShell } from "./pages/app-shell";
import { AppsPage } from "./pages/apps-page";
import { ReleasePage } from "./pages/release-page";
import { ReleasesPage } from "./pages/releases-page";
import { SignInPage } from "./pages/sign-in-page";
import { UploadDialog } from "./pages/upload-dialog";

test.describe("a new console", () => {
  test.use({ signedIn: false });

  test("by keyboard alone, an administrator signs in, adds an application with its environment, and publishes", async ({
    page,
  }, info) => {
    const word = randomBytes(4).toString("hex");
    const app = { name: `Harbour ${word}`, identifier: `com.example.harbour${word}` };
    const environment = `QA ${word}`;
    const logo = info.outputPath("logo.png");
    await inFolder(info.outputPath(), { name: "logo.png", bytes: makeIcon({ size: 128 }) });
    const ipa = await inFolder(info.outputPath(), anIpa(app.identifier, { version: "2.4.0", build: "118" }));
    const { keyboard } = page;
    const shell = new AppShell(page);
    const chooseFile = fileChooserByKeyboard(page);

    await test.step("signs in", async () => {
      await page.goto("/");
      await expect(new SignInPage(page).email).toBeFocused();
      await keyboard.type(ADMIN.email);
      await keyboard.press("Tab");
      await keyboard.type(ADMIN.password);
      await keyboard.press("Enter");
      await expect(page).toHaveURL("/admin-dashboard");
    });

    await test.step("goes to the applications by the command palette", async () => {
      await expect(shell.heading(t("dashboard.title"))).toBeVisible();
      await shell.openPalette();
      await keyboard.type(t("nav.pages.apps"));
      await keyboard.press("Enter");
      await expect(page).toHaveURL("/admin-apps");
    });

    await test.step("adds the application", async () => {
      const apps = new AppsPage(page);
      await pressByKeyboard(page, apps.create);
      await expect(apps.dialog).toBeVisible();
      await tabTo(page, apps.chooseLogo);
      await chooseFile(logo);
      await expect(apps.logo).toBeVisible();
      await tabTo(page, apps.name);
      await keyboard.type(app.name);
      await keyboard.press("Tab");
      await expect(apps.identifier).toBeFocused();
      await keyboard.type(app.identifier);
      await expect(apps.identifierIsRight).toBeAttached();
      await keyboard.press("Enter");
      // First, because it closes by itself.
      await expect(shell.notification(t("apps.created", { name: app.name }))).toBeVisible();
      await expect(page).toHaveURL(/\/registered-app\?app=/);
      await expect(shell.heading(app.name)).toBeVisible();
    });

    await test.step("adds the environment", async () => {
      const appPage = new AppPage(page);
      await pressByKeyboard(page, appPage.createEnvironment);
      await tabTo(page, appPage.environmentName);
      await keyboard.type(environment);
      await keyboard.press("Enter");
      await expect(appPage.dialog).toHaveCount(0);
      await expect(appPage.environment(environment)).toBeVisible();
      await tabTo(page, appPage.environment(environment).getByRole("link"));
      await keyboard.press("Enter");
      await expect(shell.heading(`${app.name} / ${environment}`)).toBeVisible();
    });

    await test.step("publishes the first release", async () => {
      const dialog = new UploadDialog(page);
      await expect(page).toHaveURL(/\/environment-app\?app=/);
      await pressByKeyboard(page, new ReleasesPage(page).upload);
      await tabTo(page, dialog.file);
      await chooseFile(ipa.path);
      await expect(dialog.description).toBeFocused();
      await keyboard.type("The first one of all.");
      await pressByKeyboard(page, dialog.submit);
      await expect(dialog.published("2.4.0 (118)")).toBeVisible();
      await keyboard.press("Escape");
      await expect(dialog.dialog).toHaveCount(0);
      await tabTo(page, new ReleasesPage(page).link("2.4.0 (118)"));
      await keyboard.press("Enter");
      await expect(new ReleasePage(page).heading("2.4.0 (118)")).toBeVisible();
    });
  });
});

test.describe("publishing", () => {
  test("a dropped .ipa fills in the form before a byte is sent, and is published with the values read from it", async ({
    page,
    place,
    admin,
  }) => {
    const ipa = anIpa(place.identifier, {
      name: "Orbit Staging",
      version: "2.4.0",
      build: "118",
      profile: { type: "ad-hoc", devices: 41 },
    });
    await page.goto(ReleasesPage.path(place));
    await expect(new ReleasesPage(page).upload).toBeVisible();
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    const dialog = new UploadDialog(page);
    await dropOnPage(page, ipa);

    await expect(dialog.version).toHaveValue("2.4.0");
    await expect(dialog.buildNumber).toHaveValue("118");
    await expect(dialog.dialog.getByText("Orbit Staging", { exact: true })).toBeVisible();
    await expect(dialog.dialog.getByText(place.identifier, { exact: true })).toBeVisible();
    await expect(dialog.dialog.getByText("41 dispositivos")).toBeVisible();
    await expect(dialog.dialog.locator("img[src^='blob:']")).toBeVisible();
    expect(sent.operations).toEqual([]);

    await dialog.publish("Offline maps.\nTrips → Download.");
    await expect(dialog.published("2.4.0 (118)")).toBeVisible();
    await expect(dialog.dialog.getByRole("img", { name: /QR/ })).toBeVisible();
    expect(sent.operations.at(-1)).toBe("apps/create-testing-deploy");

    const { items } = await admin.query("apps/get-testing-deploys", { environmentId: place.environmentId });
    expect(items).toMatchObject([
      {
        version: "2.4.0",
        buildNumber: "118",
        identifier: place.identifier,
        displayName: "Orbit Staging",
        description: "Offline maps.\nTrips → Download.",
        iosEnabled: true,
        platform: { name: "iOS" },
        size: ipa.bytes.length,
        sha256: sha256Of(ipa.bytes),
        installer: { kind: "ipa", profileType: "ad-hoc", deviceCount: 41 },
      },
    ]);
  });

  test("an .apk and an .aab are published side by side for Android", async ({ page, place }, info) => {
    const apk = await inFolder(
      info.outputPath(),
      await anApk(place.identifier, { versionName: "2.4.0", versionCode: 118 }),
    );
    const aab = await inFolder(info.outputPath(), anAab(place.identifier, { versionName: "2.4.0", versionCode: 119 }));
    const releases = new ReleasesPage(page);
    const dialog = new UploadDialog(page);
    await page.goto(ReleasesPage.path(place));
    for (const [file, name] of [
      [apk, "2.4.0 (118)"],
      [aab, "2.4.0 (119)"],
    ] as const) {
      await releases.upload.click();
      await dialog.file.setInputFiles(file.path);
      await dialog.publish(`From ${file.name}`);
      await expect(dialog.published(name)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(releases.row(name)).toContainText(file.name.endsWith("aab") ? "AAB" : "APK");
      await expect(releases.row(name)).toContainText(`From ${file.name}`);
    }
    await expect(releases.rows).toHaveCount(2);
  });

  test("the installer of another application is rejected before a byte is sent, with both identifiers in the message", async ({
    page,
    place,
  }, info) => {
    const foreign = await inFolder(info.outputPath(), anIpa("com.example.somebody-else"));
    const own = await inFolder(info.outputPath(), anIpa(place.identifier));
    await page.goto(ReleasesPage.path(place));
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    const dialog = new UploadDialog(page);
    await new ReleasesPage(page).upload.click();
    await dialog.file.setInputFiles(foreign.path);
    const words = { found: "com.example.somebody-else", expected: place.identifier };
    await expect(dialog.refusal).toContainText(t("upload.wrongIdentifier", words));
    await expect(dialog.submit).toBeDisabled();
    expect(sent.operations).toEqual([]);

    await dialog.file.setInputFiles(own.path);
    await expect(dialog.refusal).toHaveCount(0);
    await expect(dialog.submit).toBeEnabled();
  });

  test("a file that is not an installer is rejected with the reason, and nothing is sent", async ({
    page,
    place,
  }, info) => {
    const text = await inFolder(info.outputPath(), { name: "notes.ipa", bytes: Buffer.from("no archive at all") });
    const picture = await inFolder(info.outputPath(), { name: "picture.png", bytes: makeIcon({ size: 32 }) });
    await page.goto(ReleasesPage.path(place));
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    const dialog = new UploadDialog(page);
    await new ReleasesPage(page).upload.click();
    await dialog.file.setInputFiles(text.path);
    await expect(dialog.refusal).toContainText(t("installerErrors.archive_not_zip"));
    await dialog.file.setInputFiles(picture.path);
    await expect(dialog.refusal).toContainText(t("installerErrors.extension_unsupported", { fileName: "picture.png" }));
    await expect(dialog.submit).toBeDisabled();
    expect(sent.operations).toEqual([]);
  });

  test("a release without a description is not sent; the field shows the error and has the focus", async ({
    page,
    place,
  }, info) => {
    const ipa = await inFolder(info.outputPath(), anIpa(place.identifier));
    await page.goto(ReleasesPage.path(place));
    const sent = new SentRequests(page, UPLOAD_REQUESTS);
    const dialog = new UploadDialog(page);
    await new ReleasesPage(page).upload.click();
    await dialog.file.setInputFiles(ipa.path);
    await dialog.submit.click();
    await expect(dialog.dialog.getByText(t("validation.required"))).toBeVisible();
    await expect(dialog.description).toBeFocused();
    expect(sent.operations).toEqual([]);
  });
});
