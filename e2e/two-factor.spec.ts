import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { Person } from "./fixtures/database";
import { pressByKeyboard, tabTo } from "./fixtures/keyboard";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";
import { SignInPage } from "./pages/sign-in-page";
import { SecondFactorPage, TwoFactorTab } from "./pages/two-factor-pages";

test.use({ signedIn: false });
test.describe.configure({ mode: "parallel" });
// A code that is refused is an answer 401, which the browser notes as an error.
test.beforeEach(({ problems }) => problems.expect(/401/));

/** Opens a page as a person who has no second factor. */
async function enter(page: Page, person: Person, path: string): Promise<void> {
  const client = await ConsoleClient.signIn(baseUrl(), person);
  await page.context().addCookies((await client.request.storageState()).cookies);
  await client.dispose();
  await page.goto(path);
}

/** Opens a page and signs in up to the second step, which survives a reload. */
async function signInToSecondStep(page: Page, person: Person, path: string): Promise<void> {
  await page.goto(path);
  await new SignInPage(page).signIn(person);
  await expect(new SecondFactorPage(page).heading).toBeVisible();
  await page.reload();
}

async function signOut(page: Page, person: Person): Promise<void> {
  await new AppShell(page).signOut(`${person.firstNames} ${person.lastNames}`);
  await expect(new SignInPage(page).heading).toBeVisible();
}

test(
  "a second factor is enrolled with a code, and its recovery codes are kept",
  SLOW,
  async ({ page, context, database }) => {
    const person = await database.addPerson([]);
    const tab = new TwoFactorTab(page);
    await enter(page, person, TwoFactorTab.PATH);

    await tab.begin.click();
    await expect(tab.heading(t("twoFactor.wizard.scan.title"))).toBeFocused();
    await expect(page.getByRole("img", { name: t("twoFactor.wizard.scan.qrCode"), exact: true })).toBeVisible();
    const app = await tab.app();
    await tab.scanned.click();

    await test.step("a wrong code is told at the field, and nothing is on", async () => {
      await tab.code.fill(app.wrongCode());
      await expect(tab.code).toHaveAttribute("aria-invalid", "true");
      await expect(tab.main.getByText(t("errors.invalid_otp.detail"), { exact: true })).toBeVisible();
      await expect(tab.code).toBeFocused();
    });

    await tab.code.fill(app.code());
    const recoveryCodes = await tab.codes();

    await test.step("the recovery codes are copied and downloaded", async () => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await tab.main.getByRole("button", { name: t("twoFactor.recovery.copy") }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join("\n"));
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        tab.main.getByRole("button", { name: t("twoFactor.recovery.download"), exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("recovery-codes.txt");
      const text = await readFile(await download.path(), "utf8");
      for (const code of recoveryCodes) expect(text).toContain(code);
      expect(text).toContain(new URL(page.url()).host);
    });

    await expect(tab.finish).toBeDisabled();
    await tab.saved.check();
    await tab.finish.click();
    await expect(tab.heading(t("twoFactor.wizard.success.title"))).toBeVisible();
    await tab.done.click();
    await expect(tab.main.getByText(t("twoFactor.on"), { exact: true })).toBeVisible();
  },
);

test("a sign-in asks for a code, also after a reload, and continues to the requested page", async ({
  page,
  context,
  database,
}) => {
  const person = await database.addPerson([]);
  const { app, client } = await turnOnTwoFactor(baseUrl(), person);
  await client.dispose();
  await database.forgetUsedCodes(person.id);
  const step = new SecondFactorPage(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInToSecondStep(page, person, "/profile?tab=passkeys");
  await expect(step.code).toBeFocused();
  await step.code.fill(app.wrongCode());
  await expect(page.getByText(t("errors.invalid_otp.detail"), { exact: true }).first()).toBeVisible();
  const code = app.code();
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`);
  await step.code.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
  await expect(page).toHaveURL("/profile?tab=passkeys");
});

test(
  "without the phone, a recovery code signs in once, and another one disables the second factor",
  SLOW,
  async ({ page, database }) => {
    const person = await database.addPerson([]);
    const { recoveryCodes, client } = await turnOnTwoFactor(baseUrl(), person);
    await client.dispose();
    const tab = new TwoFactorTab(page);
    const step = new SecondFactorPage(page);

    const [code = ""] = recoveryCodes;

    await test.step("each signs in once", async () => {
      await signInToSecondStep(page, person, TwoFactorTab.PATH);
      await step.useRecoveryCode.click();
      await expect(step.recoveryCode).toBeFocused();
      await step.recoveryCode.fill(code.toUpperCase());
      await page.keyboard.press("Enter");
      await expect(tab.main.getByText(t("twoFactor.codesLeft", { count: 9 }), { exact: true })).toBeVisible();

      await page.reload();
      await signOut(page, person);
      await signInToSecondStep(page, person, TwoFactorTab.PATH);
      await step.useRecoveryCode.click();
      await step.recoveryCode.fill(code);
      await step.submit.click();
      await expect(page.getByText(t("errors.invalid_otp.detailRecovery"), { exact: true }).first()).toBeVisible();
      await step.recoveryCode.fill(recoveryCodes[1] ?? "");
      await step.submit.click();
      await expect(tab.main.getByText(t("twoFactor.codesLeft", { count: 8 }), { exact: true })).toBeVisible();
    });

    await test.step("to switch it off ends the session", async () => {
      await page.reload();
      await tab.delete.click();
      await expect(tab.deletion.getByText(t("twoFactor.delete.endsSession"), { exact: true })).toBeVisible();
      await tab.deletion.getByRole("button", { name: t("twoFactor.proof.useRecoveryCode"), exact: true }).click();
      await step.recoveryCode.fill(code);
      await tab.confirmDeletion.click();
      await expect(step.recoveryCode).toHaveAttribute("aria-invalid", "true");
      await step.recoveryCode.fill(recoveryCodes[2] ?? "");
      await tab.confirmDeletion.click();
      await expect(new SignInPage(page).heading).toBeVisible();
      expect(await database.countSessions(person.id)).toBe(0);
      await enter(page, person, TwoFactorTab.PATH);
      await expect(tab.begin).toBeVisible();
    });
  },
);

test(
  "an app that silently computes with SHA-1 is reported by name, and another one is enrolled in its place",
  SLOW,
  async ({ page, database }) => {
    const person = await database.addPerson([]);
    const tab = new TwoFactorTab(page);
    await enter(page, person, TwoFactorTab.PATH);
    await tab.begin.click();
    const wrong = await tab.app("sha1");
    await tab.scanned.click();
    await tab.code.fill(wrong.code());
    await expect(tab.main.getByText(t("errors.invalid_otp.detailSha1"), { exact: true })).toBeVisible();

    await page.reload();
    await expect(tab.main.getByText(t("twoFactor.off"), { exact: true })).toBeVisible();
    await tab.begin.click();
    const right = await tab.app();
    expect(right.secret).not.toBe(wrong.secret);
    await tab.scanned.click();
    await tab.code.fill(right.code());
    await tab.codes();
  },
);

test(
  "by keyboard alone, a second factor is enrolled, passed at sign-in, renewed and disabled",
  SLOW,
  async ({ page, database }) => {
    const person = await database.addPerson([]);
    const tab = new TwoFactorTab(page);
    const step = new SecondFactorPage(page);
    const { keyboard } = page;
    await enter(page, person, TwoFactorTab.PATH);

    await pressByKeyboard(page, tab.begin);
    const app = await tab.app();
    await pressByKeyboard(page, tab.scanned);
    await expect(tab.code).toBeFocused();
    await keyboard.type(app.code());
    await expect(tab.heading(t("twoFactor.wizard.recovery.title"))).toBeFocused();
    await tabTo(page, tab.saved);
    await keyboard.press("Space");
    await pressByKeyboard(page, tab.finish);
    await expect(tab.heading(t("twoFactor.wizard.success.title"))).toBeFocused();
    await pressByKeyboard(page, tab.done);

    await pressByKeyboard(page, tab.renew);
    await expect(tab.code).toBeFocused();
    await database.forgetUsedCodes(person.id);
    await keyboard.type(app.code());
    await keyboard.press("Enter");
    await tab.codes();
    await pressByKeyboard(page, tab.renewal.getByRole("button", { name: t("twoFactor.renew.saved"), exact: true }));
    await expect(tab.renewal).toHaveCount(0);
    await expect(tab.renew).toBeFocused();

    await signOut(page, person);
    await database.forgetUsedCodes(person.id);
    await signInToSecondStep(page, person, TwoFactorTab.PATH);
    await expect(step.code).toBeFocused();
    await keyboard.type(app.code());
    await expect(tab.delete).toBeVisible();

    await page.reload();
    await pressByKeyboard(page, tab.delete);
    await expect(tab.code).toBeFocused();
    await database.forgetUsedCodes(person.id);
    await keyboard.type(app.code());
    await keyboard.press("Enter");
    await expect(new SignInPage(page).heading).toBeVisible();
  },
);

test(
  "a user sent to the enrolment by a page that needs it returns to that page at the end",
  SLOW,
  async ({ page, database }) => {
    const person = await database.addPerson([]);
    const tab = new TwoFactorTab(page);
    await enter(page, person, `${TwoFactorTab.PATH}&next=%2Fhome`);
    await expect(page.getByText(t("twoFactor.wanted.title"), { exact: true })).toBeVisible();
    await tab.begin.click();
    const app = await tab.app();
    await tab.scanned.click();
    await tab.code.fill(app.code());
    await tab.codes();
    await tab.saved.check();
    await tab.finish.click();
    await page.getByRole("button", { name: t("twoFactor.wizard.success.goOn"), exact: true }).click();
    await expect(page).toHaveURL("/home");
  },
);

test("a page that is open while the second factor is enabled elsewhere redirects to it on the next action, and back", async ({
  page,
  database,
  problems,
}) => {
  problems.expect(/403/);
  const person = await database.addPerson([]);
  await enter(page, person, "/profile");
  await expect(page.getByRole("button", { name: t("profile.edit"), exact: true })).toBeVisible();
  const { app, client } = await turnOnTwoFactor(baseUrl(), person);
  await client.dispose();
  await database.forgetUsedCodes(person.id);

  await page.getByRole("button", { name: t("profile.edit"), exact: true }).click();
  await page.getByLabel(t("profile.firstNames"), { exact: true }).fill("Otra");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: t("profile.save"), exact: true }).click();
  await page.getByRole("button", { name: t("session.ended.leave"), exact: true }).click();
  const step = new SecondFactorPage(page);
  await expect(step.heading).toBeVisible();
  await step.code.fill(app.code());
  await expect(page).toHaveURL("/profile");
});

test(
  "a user who signed in with the wrong account can leave at the second step and sign in with another",
  SLOW,
  async ({ page, database }) => {
    const [one, other] = [await database.addPerson([]), await database.addPerson([])];
    const { client } = await turnOnTwoFactor(baseUrl(), one);
    await client.dispose();
    await signInToSecondStep(page, one, "/home");
    const step = new SecondFactorPage(page);
    await expect(
      page.getByText(t("twoFactor.signIn.description", { email: one.email }), { exact: true }),
    ).toBeVisible();
    await step.otherAccount.click();
    await expect(new SignInPage(page).heading).toBeVisible();
    await new SignInPage(page).signIn(other);
    await expect(page).toHaveURL("/home");
    await page.goto("/two-factor");
    await expect(page).toHaveURL("/home");
  },
);

test("nobody without a session sees the second step, and a code in the URL has no effect", SLOW, async ({ page }) => {
  await page.goto("/two-factor?next=%2Fprofile&code=123456");
  await expect(page).toHaveURL("/?next=%2Fprofile");
  await page.goto("/two-factor?next=https%3A%2F%2Fevil.example");
  await expect(page).toHaveURL("/");
  const client = await ConsoleClient.anonymous(baseUrl());
  const answer = await client.request.post("/api/auth/validate-two-factor", { data: { code: "123456" } });
  expect(answer.status()).toBe(401);
  await client.dispose();
});
