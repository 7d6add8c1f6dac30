import { readFile } from "node:fs/promises";
import { certificateSample, SAMPLE_PASSWORD, sampleFacts } from "@slipway/certificates/testing";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { stayOnUndo, undoButton } from "./fixtures/undo";
import { CertificatesPage } from "./pages/certificates-page";
import { ConfirmDialog } from "./pages/confirm-dialog";

test.use({ signedIn: false });

test("a PKCS#12 file is read before it is sent, stored with its password, and downloaded after the second factor", async ({
  page,
  context,
  place,
  database,
  admin,
  problems,
}) => {
  problems.expect(/403/);
  const { appId, environmentId } = place;
  const person = await database.addPerson([{ scopes: ["secure-certificate:write", "environment:read"], appId }]);
  const { app, client } = await turnOnTwoFactor(baseUrl(), person);
  await context.addCookies((await client.request.storageState()).cookies);
  await client.dispose();
  const certificates = new CertificatesPage(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/create-secure-certificate")) sent.push(request.url());
  });
  const bytes = certificateSample("modern.p12");
  const key = "APNS_CERTIFICATE";
  await page.goto(CertificatesPage.path("/manage-secure-certificates", place));
  await certificates.create.click();

  await test.step("a file that is no certificate is refused at its field", async () => {
    await certificates.chooseFile("picture.pem", Buffer.from("ffd8ffe000104a464946", "hex"));
    await expect(certificates.dialog.getByText(t("validation.certificateFormat"), { exact: true })).toBeVisible();
    await expect(certificates.file).toHaveAttribute("aria-invalid", "true");
  });

  await test.step("a file over 1 MB is refused at its field", async () => {
    await certificates.chooseFile("large.pem", new Uint8Array(1024 * 1024 + 1));
    await expect(certificates.dialog.getByText(t("certificates.tooLarge"), { exact: true })).toBeVisible();
  });

  await test.step("a wrong password is told at its field, and nothing is sent", async () => {
    await certificates.chooseFile("push.p12", bytes);
    await certificates.describe({ name: "Push", key });
    await certificates.password.fill("wrong");
    await certificates.submit();
    await expect(certificates.dialog.getByText(t("validation.certificatePassword"), { exact: true })).toBeVisible();
    await expect(certificates.password).toHaveAttribute("aria-invalid", "true");
    // The error can come from leaving the field, before the submission has ended.
    await expect(certificates.submitButton).toBeEnabled();
    expect(sent).toEqual([]);
  });

  await test.step("with the password, the dialog shows what the file contains and asks for no date", async () => {
    await certificates.password.fill(SAMPLE_PASSWORD);
    await certificates.password.blur();
    await expect(certificates.facts).toContainText(sampleFacts.leaf.subject);
    await expect(certificates.facts).toContainText(sampleFacts.leaf.issuer);
    await expect(certificates.facts).toContainText(t("certificates.facts.withPrivateKey"));
    await expect(certificates.facts).toContainText(t("certificates.facts.chainLength", { count: 2 }));
    await expect(certificates.expirationDate).toHaveCount(0);
    await certificates.submit();
    await expect(certificates.dialog).toHaveCount(0);
    await expect(certificates.row(key)).toContainText(sampleFacts.leaf.subject);
    expect(sent).toHaveLength(1);
  });

  await test.step("the download asks for the second factor and goes on by itself", async () => {
    await database.ageSecondFactor(person.id);
    await database.forgetUsedCodes(person.id);
    await certificates.fromMenu(key, t("certificates.download"));
    const confirmation = page.getByRole("dialog", { name: t("secondFactor.title"), exact: true });
    const downloading = page.waitForEvent("download");
    await confirmation.getByLabel(t("twoFactor.proof.code"), { exact: true }).fill(app.code());
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("push.p12");
    expect(await readFile(await download.path())).toEqual(Buffer.from(bytes));
  });

  await test.step("the password is copied without being shown", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await certificates.fromMenu(key, t("certificates.copyPassword"));
    await expect(page.getByText(t("certificates.passwordCopied", { key }), { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SAMPLE_PASSWORD);
    await expect(page.getByText(SAMPLE_PASSWORD, { exact: true })).toHaveCount(0);
  });

  await test.step("a key alone is stored once its expiration date is entered", async () => {
    await certificates.create.click();
    await certificates.chooseFile("server.key", certificateSample("ec-pkcs8.pem"));
    await certificates.describe({ name: "Server", key: "SERVER_KEY" });
    await certificates.submit();
    await expect(certificates.expirationDate).toHaveAttribute("aria-invalid", "true");
    expect(sent).toHaveLength(1);
    await certificates.expirationDate.fill("2099-12-31");
    await certificates.submit();
    await expect(certificates.dialog).toHaveCount(0);
    await expect(certificates.row("SERVER_KEY")).toContainText("2099");
  });

  await test.step("a certificate gets another name and file", async () => {
    await certificates.fromMenu("SERVER_KEY", t("common.edit"));
    const update = certificates.updateDialog("SERVER_KEY");
    await update.getByLabel(t("certificates.name"), { exact: true }).fill("Renewed server");
    await certificates.chooseFile("server.pem", certificateSample("leaf.pem"), update);
    await expect(update).toContainText(sampleFacts.leaf.subject);
    await update.getByRole("button", { name: t("certificates.save"), exact: true }).click();
    await expect(update).toHaveCount(0);
    await expect(certificates.row("SERVER_KEY")).toContainText("Renewed server");
    await expect(certificates.row("SERVER_KEY")).toContainText("server.pem");
  });

  await test.step("a deletion is undone from its notification, also after another change", async () => {
    await certificates.fromMenu(key, t("common.delete"));
    await new ConfirmDialog(page).button(t("certificates.deletion.confirm")).click();
    await stayOnUndo(page);
    await expect(certificates.row(key)).toHaveCount(0);
    await admin.command("apps/create-development-variable", { environmentId, name: "Other", key: "OTHER", value: "1" });
    await undoButton(page).click();
    await expect(certificates.row(key)).toContainText(sampleFacts.leaf.subject);
  });

  await test.step("the history names each change, without values", async () => {
    await page.getByRole("link", { name: t("configuration.history.title"), exact: true }).click();
    const versions = page.getByRole("list", { name: t("configuration.history.title"), exact: true });
    await expect(versions.locator(":scope > li")).toHaveCount(6);
    await expect(versions.getByText("OTHER", { exact: true })).toBeVisible();
  });
});
