import { readFile } from "node:fs/promises";
import { canary } from "../testing/canaries";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anApk } from "../testing/installers";
import { turnOnTwoFactor } from "../testing/two-factor";
import { dropOnPage } from "./fixtures/dropping";
import { hold } from "./fixtures/hold";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { stayOnUndo, undoButton } from "./fixtures/undo";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { TwoFactorTab } from "./pages/two-factor-pages";
import { VariablesPage } from "./pages/variables-page";

test("a dropped .env is checked and imported, and its variables are changed, compared and restored", async ({
  page,
  context,
  place,
  admin,
  problems,
}) => {
  const variables = new VariablesPage(page);
  await page.goto(VariablesPage.path("/dev-variables", place));

  await test.step("the check names the wrong line, and nothing is imported", async () => {
    await variables.check("API_URL=https://api.example.com\nnot a variable");
    await expect(variables.dialog.getByRole("alert")).toContainText("2");
  });

  await test.step("a file that is not UTF-8 text is refused", async () => {
    await variables.chooseFile(".env.production", Buffer.from("ROAD=Avenida del Sol n\xba 3", "latin1"));
    await expect(variables.dialog.getByText(t("variables.import.notText"), { exact: true })).toBeVisible();
  });

  await test.step("30 variables are imported as one version", async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `KEY_${String(index).padStart(2, "0")}`);
    const bytes = Buffer.from(keys.map((key) => `${key}=value of ${key}`).join("\n"));
    await dropOnPage(page, { name: ".env.foo", bytes }, "[role=dialog] [data-slot=file-drop]");
    const release = await hold(page, /import-variables/);
    await variables.checkImport.click();
    // The answer is about an import that deletes nothing.
    await variables.chooseImportMode("replace");
    release();
    await expect(variables.checkImport).not.toHaveAttribute("aria-busy");
    await variables.chooseImportMode("merge");
    await page.keyboard.press("Escape");
    await new ConfirmDialog(page).button(t("common.discard.keep")).click();
    await variables.submitImport(30).click();
    await expect(variables.dialog).toHaveCount(0);
    await expect(variables.row("KEY_00")).toContainText("value of KEY_00");
  });

  const { id: releaseId } = await admin.publish(await anApk(place.identifier), {
    environmentId: place.environmentId,
    description: "Made with version 1 of the configuration",
  });

  await test.step("without a connection, saving says so and keeps what was entered", async () => {
    problems.expectLostConnections();
    // A page that has shown no notification so far.
    await page.reload();
    await expect(page.getByRole("region", { name: t("common.notifications") })).toBeAttached();
    await variables.create.click();
    await variables.name.fill("A first one");
    // The code that checks the form is loaded after its dialog. It is there when it has found an error.
    await variables.submitCreation.click();
    await expect(variables.key).toHaveAttribute("aria-invalid", "true");
    await context.setOffline(true);
    await variables.key.fill("OFFLINE");
    await variables.value.fill("entered");
    await variables.submitCreation.click();
    await expect(variables.dialog.getByRole("alert")).toContainText(t("clientErrors.network.title"));
    await expect(variables.value).toHaveValue("entered");
    await context.setOffline(false);
    await page.keyboard.press("Escape");
    await new ConfirmDialog(page).button(t("common.discard.confirm")).click();
    await expect(variables.dialog).toHaveCount(0);
  });

  await test.step("one is added and another is edited", async () => {
    await variables.add({ name: "A first one", key: "API_URL", value: "https://api.example.com" });
    await expect(variables.row("API_URL")).toContainText("https://api.example.com");
    await variables.fromMenu("KEY_00", t("common.edit"));
    await expect(variables.value).toHaveValue("value of KEY_00");
    await variables.value.fill("edited");
    await variables.saveChanges();
    await expect(variables.row("KEY_00")).toContainText("edited");
  });

  await test.step("the page of a release says how many keys have changed since", async () => {
    await page.goto(`/releases?id=${releaseId}`);
    const since = t("releases.details.changedKeys", { count: 2 });
    const configuration = page.getByRole("main").getByRole("listitem").filter({ hasText: since });
    await expect(configuration).toContainText(t("configuration.history.version", { version: 1 }));
  });

  await test.step("the command palette leads to the variables of an environment", async () => {
    const palette = await new AppShell(page).openPalette();
    await palette.getByRole("combobox").fill(`variables desarrollo ${place.environmentName}`);
    const { appName, environmentName } = place;
    const entry = palette.getByRole("option", {
      name: `${t("variables.title.dev-variable")} ${appName} › ${environmentName}`,
    });
    await entry.click();
    await expect(variables.row("KEY_00")).toBeVisible();
  });

  await test.step("version 1 is compared with the current one and restored", async () => {
    await variables.tab("history").click();
    await variables.compare(1).click();
    await expect(variables.dialog.getByText("API_URL", { exact: true })).toBeVisible();
    await expect(variables.dialog.getByText("edited", { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(variables.dialog).toHaveCount(0);
    await variables.compareVersions.click();
    await variables.from.fill("0");
    await variables.to.fill("1");
    await expect(variables.dialog.getByRole("listitem")).toHaveCount(30);
    await variables.to.fill("99");
    await expect(variables.to).toHaveAttribute("aria-invalid", "true");
    await page.keyboard.press("Escape");
    await variables.restore(1).click();
    const restoration = page.getByRole("alertdialog");
    await expect(restoration.getByText("edited", { exact: true })).toBeVisible();
    await expect(restoration.getByRole("status")).toContainText(t("configuration.diff.counts.removed", { count: 1 }));
    await new ConfirmDialog(page).button(t("configuration.restore.confirm")).click();
    await expect(page.getByText(t("configuration.history.restored", { version: 1 }), { exact: true })).toBeVisible();
  });

  await test.step("a deletion is undone from its notification", async () => {
    await variables.tab("list").click();
    await expect(variables.row("KEY_00")).toContainText("value of KEY_00");
    await expect(variables.row("API_URL")).toHaveCount(0);
    await variables.fromMenu("KEY_00", t("common.delete"));
    await new ConfirmDialog(page).button(t("variables.deletion.confirm")).click();
    await stayOnUndo(page);
    await expect(variables.row("KEY_00")).toHaveCount(0);
    await undoButton(page).click();
    await expect(variables.row("KEY_00")).toContainText("value of KEY_00");
  });

  await test.step("the environments are compared", async () => {
    const target = await admin.command("apps/create-environment-app", { appId: place.appId, name: "Production" });
    await variables.tab("environments").click();
    await expect(variables.row("KEY_00")).toContainText("value of KEY_00");
    await variables.copyTo("KEY_00", target.name).click();
    await expect(variables.dialog.getByText("value of KEY_00", { exact: true })).toBeVisible();
    await variables.submitCopy(1).click();
    await expect(variables.dialog).toHaveCount(0);
    // What is the same is no difference.
    await expect(variables.row("KEY_00")).toHaveCount(0);
    await expect(variables.row("KEY_01")).toContainText("value of KEY_01");
  });
});

test.describe("secure variables", () => {
  test.use({ signedIn: false });

  test("a secure value is not part of the page; it is revealed, hidden when the tab is left, and exported", async ({
    page,
    context,
    place,
    database,
    problems,
  }) => {
    const { appId, environmentId } = place;
    const person = await database.addPerson([{ scopes: ["secure-variable:write"], appId }]);
    const { app, client } = await turnOnTwoFactor(baseUrl(), person);
    const secret = canary("secure-variable");
    await client.command("apps/create-secure-variable", {
      environmentId,
      name: "Payments",
      key: "PAYMENTS",
      value: secret,
    });
    await context.addCookies((await client.request.storageState()).cookies);
    await client.dispose();
    const variables = new VariablesPage(page);
    const response = await page.goto(VariablesPage.path("/manage-secure-variables", place));
    expect(await response?.text()).not.toContain(secret);
    await expect(variables.row("PAYMENTS")).toBeVisible();
    expect(await page.content()).not.toContain(secret);

    await variables.reveal("PAYMENTS").click();
    await expect(variables.row("PAYMENTS")).toContainText(secret);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(variables.row("PAYMENTS")).not.toContainText(secret);

    await test.step("the export asks for the second factor and goes on by itself", async () => {
      problems.expect(/403/);
      await database.ageSecondFactor(person.id);
      await database.forgetUsedCodes(person.id);
      await variables.export(t("variables.export.dotenv"));
      const confirmation = page.getByRole("dialog", { name: t("secondFactor.title"), exact: true });
      const downloading = page.waitForEvent("download");
      await confirmation.getByLabel(t("twoFactor.proof.code"), { exact: true }).fill(app.code());
      const download = await downloading;
      expect(download.suggestedFilename()).toBe("secure-variables.env");
      expect(await readFile(await download.path(), "utf8")).toContain(`PAYMENTS=${secret}`);
    });
  });

  test(
    "someone without a second factor is led to its setup, which returns to the page",
    SLOW,
    async ({ page, context, place, database }) => {
      const person = await database.addPerson([{ scopes: ["secure-variable:read"], appId: place.appId }]);
      const client = await ConsoleClient.signIn(baseUrl(), person);
      await context.addCookies((await client.request.storageState()).cookies);
      await client.dispose();
      const wanted = VariablesPage.path("/manage-secure-variables", place);
      await page.goto(wanted);
      await expect(page).toHaveURL(
        (url) =>
          `${url.pathname}?tab=${url.searchParams.get("tab")}` === TwoFactorTab.PATH &&
          url.searchParams.get("next") === wanted,
      );
      const tab = new TwoFactorTab(page);
      await tab.begin.click();
      const app = await tab.app();
      await tab.scanned.click();
      await tab.code.fill(app.code());
      await tab.saved.check();
      await tab.finish.click();
      await tab.goOn.click();
      await expect(page).toHaveURL(wanted);
      await expect(page.getByText(t("variables.empty.title.secure-variable"), { exact: true })).toBeVisible();
    },
  );

  test(
    "someone without the scope sees neither the variables nor a link to them",
    SLOW,
    async ({ page, context, place, database }) => {
      const person = await database.addPerson([{ scopes: ["release:read"], appId: place.appId }]);
      const client = await ConsoleClient.signIn(baseUrl(), person);
      await context.addCookies((await client.request.storageState()).cookies);
      await client.dispose();
      for (const path of ["/manage-dev-variables", "/manage-secure-variables"] as const) {
        await page.goto(VariablesPage.path(path, place));
        await expect(page).toHaveURL("/home?notice=forbidden");
        await expect(page.getByText(t("home.noAccess"), { exact: true })).toBeVisible();
      }
      await page.goto(`/app-environments?app=${place.appId}`);
      await expect(page.getByText(place.environmentName, { exact: true })).toBeVisible();
      await expect(page.locator("a[href*='-variables']")).toHaveCount(0);
    },
  );
});
