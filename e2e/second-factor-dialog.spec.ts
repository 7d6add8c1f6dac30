import type { Page } from "@playwright/test";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { Person } from "./fixtures/database";
import { t } from "./fixtures/messages";
import { expect, test } from "./fixtures/test";
import { VirtualAuthenticator } from "./fixtures/virtual-authenticator";
import { PasskeysPage } from "./pages/passkeys-page";
import { TwoFactorTab } from "./pages/two-factor-pages";

test.use({ signedIn: false });

const PROFILE = "/profile";
const UPDATE = "**/api/auth/update-user-profile";

/** The profile's dialog and, above it, the one that asks for the second factor, in Spanish. */
function dialogsOf(page: Page) {
  const profile = page.getByRole("dialog", { name: t("profile.edit"), exact: true, includeHidden: true });
  const confirmation = page.getByRole("dialog", { name: t("secondFactor.title"), exact: true });
  return {
    profile,
    edit: page.getByRole("main").getByRole("button", { name: t("profile.edit"), exact: true }),
    lastNames: profile.getByLabel(t("profile.lastNames"), { exact: true }),
    save: profile.getByRole("button", { name: t("profile.save"), exact: true }),
    saved: page.getByText(t("profile.saved"), { exact: true }),
    confirmation,
    code: confirmation.getByLabel(t("twoFactor.proof.code"), { exact: true }),
    usePasskey: confirmation.getByRole("button", { name: t("secondFactor.passkey"), exact: true }),
    begin: confirmation.getByRole("button", { name: t("secondFactor.begin"), exact: true }),
    cancel: confirmation.getByRole("button", { name: t("common.cancel"), exact: true }),
  };
}

/**
 * Has the server refuse a change of the profile as an operation does that requires a recent second factor, until the
 * user has confirmed it.
 * @returns the bodies of the calls that arrived
 */
async function requireSecondFactor(page: Page, code = "two_factor_required"): Promise<string[]> {
  const bodies: string[] = [];
  let isConfirmed = false;
  page.on("response", (response) => {
    if (response.url().endsWith("/confirm-second-factor") && response.ok()) isConfirmed = true;
  });
  await page.route(UPDATE, async (route) => {
    bodies.push(route.request().postData() ?? "");
    if (isConfirmed) return route.continue();
    const json = { code, status: 403, title: "403", detail: "403" };
    return route.fulfill({ status: 403, contentType: "application/problem+json", json });
  });
  return bodies;
}

async function enter(page: Page, client: ConsoleClient): Promise<void> {
  await page.context().addCookies((await client.request.storageState()).cookies);
  await client.dispose();
}

async function changeName(page: Page, lastNames: string): Promise<void> {
  const { edit, lastNames: field, save } = dialogsOf(page);
  await page.goto(PROFILE);
  await edit.click();
  await field.fill(lastNames);
  await save.click();
}

test("a call that needs the second factor asks for the code in a dialog, and goes on by itself", async ({
  page,
  database,
  problems,
}) => {
  problems.expect(/401|403/);
  const person = await database.addPerson([]);
  const { app, client } = await turnOnTwoFactor(baseUrl(), person);
  await database.forgetUsedCodes(person.id);
  await enter(page, client);
  const bodies = await requireSecondFactor(page);
  const dialogs = dialogsOf(page);
  await changeName(page, "Byron");

  await test.step("cancelling says so, and keeps the form as it is", async () => {
    await expect(dialogs.code).toBeFocused();
    await dialogs.cancel.click();
    await expect(dialogs.confirmation).toBeHidden();
    await expect(dialogs.profile.getByText(t("clientErrors.not_confirmed.detail"), { exact: true })).toBeVisible();
    // A notification would be there by now.
    expect(await page.getByText(t("clientErrors.not_confirmed.detail"), { exact: true }).count()).toBe(1);
    await expect(dialogs.lastNames).toHaveValue("Byron");
    await expect(dialogs.save).toBeFocused();
  });

  await test.step("a wrong code is told at the field", async () => {
    await dialogs.save.click();
    await dialogs.code.fill(app.wrongCode());
    await expect(dialogs.code).toHaveAttribute("aria-invalid", "true");
    await expect(dialogs.confirmation.getByText(t("errors.invalid_otp.detail"), { exact: true })).toBeVisible();
    await expect(dialogs.saved).toBeHidden();
  });

  await test.step("the right code sends the same call once more", async () => {
    await dialogs.code.fill(app.code());
    await expect(dialogs.saved).toBeVisible();
    await expect(dialogs.confirmation).toBeHidden();
    await expect(page.getByRole("main")).toContainText("Byron");
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
  });
});

test("a passkey confirms the second factor, also of a user without an authenticator app", async ({
  page,
  database,
  problems,
}) => {
  problems.expect(/403/);
  const person: Person = await database.addPerson([]);
  await enter(page, await ConsoleClient.signIn(baseUrl(), person));
  const authenticator = await VirtualAuthenticator.addTo(page);
  const passkeys = new PasskeysPage(page);
  await page.goto(PasskeysPage.PATH);
  await passkeys.add.click();
  await passkeys.name.fill("Laptop");
  await authenticator.touched(true);
  await passkeys.submit.click();
  await expect(passkeys.row("Laptop")).toBeVisible();

  await requireSecondFactor(page, "two_factor_enrollment_required");
  const dialogs = dialogsOf(page);
  await changeName(page, "Hopper");
  await expect(dialogs.code).toBeHidden();
  await dialogs.usePasskey.click();
  await expect(dialogs.saved).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Hopper");
});

test("a user without a second factor is led to set one up, and back", async ({ page, database, problems }) => {
  problems.expect(/403/);
  const person = await database.addPerson([]);
  await enter(page, await ConsoleClient.signIn(baseUrl(), person));
  await requireSecondFactor(page, "two_factor_enrollment_required");
  const dialogs = dialogsOf(page);
  await changeName(page, "Curie");
  page.on("dialog", (dialog) => void dialog.accept());
  await dialogs.begin.click();
  await expect(page).toHaveURL(/tab=two-factor/);
  await expect(new TwoFactorTab(page).begin).toBeVisible();
  await expect(page.getByText(t("twoFactor.wanted.title"), { exact: true })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("next")).toBe(PROFILE);
});
