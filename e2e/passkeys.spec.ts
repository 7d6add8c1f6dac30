import type { Page } from "@playwright/test";
import { baseUrl } from "../testing/environment.ts";
import type { Person } from "./fixtures/database";
import { pressByKeyboard, tabTo } from "./fixtures/keyboard";
import { t } from "./fixtures/messages";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { VirtualAuthenticator } from "./fixtures/virtual-authenticator";
import { AppShell } from "./pages/app-shell";
import { ConfirmDialog } from "./pages/confirm-dialog";
import { PasskeysPage } from "./pages/passkeys-page";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const shellOf = (page: Page) => new AppShell(page);

async function signInByPassword(page: Page, person: Person, path: string): Promise<void> {
  await page.goto(path);
  await new SignInPage(page).signIn(person);
  await expect(page).toHaveURL(path);
}

async function signOut(page: Page, person: Person): Promise<void> {
  await shellOf(page).signOut(`${person.firstNames} ${person.lastNames}`);
  await expect(new SignInPage(page).heading).toBeVisible();
}

/** A browser without passkey autofill, so that only the button signs in. */
async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

/** Adds a passkey to the signed-in user's account. */
async function addPasskey(page: Page, authenticator: VirtualAuthenticator, name: string): Promise<void> {
  const passkeys = new PasskeysPage(page);
  await page.goto(PasskeysPage.PATH);
  await passkeys.add.click();
  await passkeys.name.fill(name);
  await authenticator.touched(true);
  await passkeys.submit.click();
  await expect(passkeys.row(name)).toBeVisible();
  await authenticator.touched(false);
}

test(
  "by keyboard alone, a passkey is added, signs in by the button, shows its last use, and is deleted",
  SLOW,
  async ({ page, database, problems }) => {
    problems.expect(/401/);
    await withoutOffers(page);
    const person = await database.addPerson([]);
    const authenticator = await VirtualAuthenticator.addTo(page);
    const passkeys = new PasskeysPage(page);
    const signIn = new SignInPage(page);
    const { keyboard } = page;

    await test.step("is added under the name that the browser suggests, with a word to it", async () => {
      await signInByPassword(page, person, PasskeysPage.PATH);
      await expect(page.getByText(t("passkeys.empty.title"), { exact: true })).toBeVisible();
      await pressByKeyboard(page, passkeys.add);
      await expect(passkeys.name).toBeFocused();
      await expect(passkeys.name).toHaveValue(t("passkeys.suggestedName", { browser: "Chrome", device: "Windows" }));
      await keyboard.press("End");
      await keyboard.type(" de Tess");
      await authenticator.touched(true);
      await keyboard.press("Enter");
      await expect(passkeys.form).toHaveCount(0);
      await expect(passkeys.add).toBeFocused();
      await authenticator.touched(false);
    });

    const name = `${t("passkeys.suggestedName", { browser: "Chrome", device: "Windows" })} de Tess`;
    await test.step("is listed as backed up and never used", async () => {
      await expect(shellOf(page).notification(t("passkeys.added", { name }))).toBeVisible();
      await expect(passkeys.row(name)).toContainText(t("passkeys.backedUp"));
      await expect(passkeys.row(name)).toContainText(t("passkeys.neverUsed"));
      expect(await authenticator.countCredentials()).toBe(1);
    });

    await test.step("signs in without a word typed", async () => {
      await signOut(page, person);
      await authenticator.touched(true);
      await pressByKeyboard(page, signIn.passkey);
      await expect(page).toHaveURL("/home");
      await authenticator.touched(false);
      await page.goto(PasskeysPage.PATH);
      await expect(passkeys.row(name)).not.toContainText(t("passkeys.neverUsed"));
    });

    await test.step("is deleted after a question, and opens nothing any more", async () => {
      await pressByKeyboard(page, passkeys.delete(name));
      const question = new ConfirmDialog(page);
      await expect(question.dialog).toContainText(t("passkeys.deleteTitle", { name }));
      await tabTo(page, question.button(t("passkeys.deleteConfirm")));
      await keyboard.press("Enter");
      await expect(page.getByText(t("passkeys.empty.title"), { exact: true })).toBeVisible();
      await signOut(page, person);
      await authenticator.touched(true);
      await pressByKeyboard(page, signIn.passkey);
      await expect(page.getByRole("alert").filter({ hasText: t("errors.invalid_passkey.detail") })).toBeVisible();
      await expect(signIn.passkey).toBeEnabled();
      expect(await database.countSessions(person.id)).toBe(0);
    });
  },
);

test("a passkey that the browser offers in the e-mail field signs in and opens the requested page", async ({
  page,
  database,
  place,
}) => {
  const person = await database.addPerson([{ scopes: ["release:read"], appId: place.appId }]);
  const authenticator = await VirtualAuthenticator.addTo(page);
  await signInByPassword(page, person, PasskeysPage.PATH);
  await addPasskey(page, authenticator, "Phone");
  await signOut(page, person);

  await expect(new SignInPage(page).email).toHaveAttribute("autocomplete", "username webauthn");
  // The offer of this page would be answered too, and open the home page.
  await page.goto("about:blank");
  // From here on, Chromium's authenticator picks what is offered in the field; nobody presses the button.
  await authenticator.touched(true);
  const wanted = `/app-environments?app=${place.appId}`;
  // The sign-in page opens the requested page at once, possibly before its own load event.
  await page.goto(wanted, { waitUntil: "commit" });
  await expect(page).toHaveURL(wanted);
  await expect(shellOf(page).heading(place.appName)).toBeVisible();
});

test(
  "a user who fails the fingerprint, face or PIN check gets neither a passkey nor a session, and a plain message",
  SLOW,
  async ({ page, database }) => {
    await withoutOffers(page);
    const person = await database.addPerson([]);
    const authenticator = await VirtualAuthenticator.addTo(page);
    const passkeys = new PasskeysPage(page);
    await signInByPassword(page, person, PasskeysPage.PATH);

    await authenticator.recognises(false);
    await authenticator.touched(true);
    await passkeys.add.click();
    await passkeys.submit.click();
    await expect(passkeys.form.getByText(t("passkeys.cancelled"), { exact: true })).toBeVisible();
    await expect(passkeys.form.getByRole("alert")).toHaveCount(0);
    expect(await authenticator.countCredentials()).toBe(0);
    await passkeys.form.getByRole("button", { name: t("common.cancel"), exact: true }).click();

    await authenticator.recognises(true);
    await addPasskey(page, authenticator, "Phone");
    await signOut(page, person);
    await authenticator.recognises(false);
    await authenticator.touched(true);
    await new SignInPage(page).passkey.click();
    await expect(page.getByText(t("auth.passkey.cancelled"), { exact: true })).toBeVisible();
    await expect(new SignInPage(page).passkey).toBeEnabled();
    await expect(page).toHaveURL("/");
    expect(await database.countSessions(person.id)).toBe(0);
  },
);

test(
  "another passkey needs a confirmation by the first, and its authenticator is not asked to create another",
  SLOW,
  async ({ page, database, problems }) => {
    problems.expect(/403 .*create-passkey/);
    const person = await database.addPerson([]);
    const authenticator = await VirtualAuthenticator.addTo(page);
    const passkeys = new PasskeysPage(page);
    await signInByPassword(page, person, PasskeysPage.PATH);
    await addPasskey(page, authenticator, "Phone");
    await authenticator.touched(true);
    await passkeys.add.click();
    await passkeys.submit.click();
    await page
      .getByRole("dialog", { name: t("secondFactor.title"), exact: true })
      .getByRole("button", { name: t("secondFactor.passkey"), exact: true })
      .click();
    await expect(passkeys.form.getByText(t("passkeys.failures.registeredHere"), { exact: true })).toBeVisible();
    expect(await authenticator.countCredentials()).toBe(1);
  },
);

test("at another address than APP_URL, the button says where passkeys work", SLOW, async ({ page }) => {
  await page.goto(baseUrl().replace("localhost", "127.0.0.1"));
  await new SignInPage(page).passkey.click();
  await expect(page.getByText(t("passkeys.failures.otherAddress"), { exact: true }).first()).toBeVisible();
});

test("a sign-in that cannot start says why, and the button can be pressed again", async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/);
  await withoutOffers(page);
  await page.goto("/");
  await page.route("**/api/auth/login-with-passkey", (route) => route.abort());
  const { passkey } = new SignInPage(page);
  await passkey.click();
  await expect(page.getByRole("alert").filter({ hasText: t("clientErrors.network.title") })).toBeVisible();
  await expect(passkey).toBeEnabled();
});

test(
  "a browser that never reports whether it supports passkeys does not block the button",
  SLOW,
  async ({ page, database }) => {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => new Promise(() => {});
    });
    const person = await database.addPerson([]);
    const authenticator = await VirtualAuthenticator.addTo(page);
    await signInByPassword(page, person, PasskeysPage.PATH);
    await addPasskey(page, authenticator, "Phone");
    await signOut(page, person);
    await authenticator.touched(true);
    await new SignInPage(page).passkey.click();
    await expect(page).toHaveURL("/home");
  },
);

test(
  "a browser without passkeys gets a message, on the sign-in page and in the profile",
  SLOW,
  async ({ page, database }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, "PublicKeyCredential");
    });
    const person = await database.addPerson([]);
    await page.goto(PasskeysPage.PATH);
    await expect(new SignInPage(page).passkey).toBeDisabled();
    await expect(page.getByText(t("auth.passkey.missing"), { exact: true })).toBeVisible();
    await new SignInPage(page).signIn(person);
    await expect(page.getByText(t("passkeys.support.missing.title"), { exact: true })).toBeVisible();
    await expect(new PasskeysPage(page).add).toBeDisabled();
  },
);
