import { generateKeyPairSync } from "node:crypto";
import type { Page } from "@playwright/test";
import pg from "pg";
import { publicKeyText, signedLicense, vendorKeys } from "@/lib/testing/license";
import { ADMIN } from "../testing/environment.ts";
import { type NewConsole, startNewConsole } from "./console.ts";
import { t } from "./fixtures/messages";
import { axeViolations, expectAccessible, settled } from "./fixtures/page-health";
import { SLOW, slowUnless } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const DAY_SECONDS = 86_400;

let own: NewConsole;
test.beforeAll(async () => {
  own = await startNewConsole({ LICENSE_PUBLIC_KEY: publicKeyText(vendorKeys.publicKey) });
});
test.afterAll(() => own?.stop());

const banner = (page: Page) => page.getByRole("region", { name: t("license.banner.label"), exact: true });

/** Enters the token of a license that has these days left. */
async function enter(page: Page, days: number, button: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const token = signedLicense({ iat: now - DAY_SECONDS, exp: now + days * DAY_SECONDS - 60 });
  await page.getByRole("main").getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: t("license.token") }).fill(token);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

test(
  "an administrator enters a license, is warned 30 days before its end, and can put the notice away for a day",
  SLOW,
  async ({ page, context }) => {
    await page.goto(own.url);
    await new SignInPage(page).signIn(ADMIN);
    await page.waitForURL("**/admin-dashboard");
    await page.goto(`${own.url}/admin-app-config?tab=license`);
    await settled(page);
    await expect(page.getByText(t("license.empty.title"))).toBeVisible();

    await enter(page, 200, t("license.add"));
    const main = page.getByRole("main");
    await expect(main.getByText("B-1001", { exact: true })).toBeVisible();
    await expect(main.getByText(t("license.days", { days: 200 }), { exact: true })).toBeVisible();
    await expect(banner(page)).toHaveCount(0);

    await enter(page, 30, t("license.update"));
    await expect(banner(page)).toContainText(t("license.banner.nearExpiry", { days: 30 }));
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${own.url}/admin-users`);
    await banner(page)
      .getByRole("button", { name: t("license.banner.hide") })
      .click();
    await expect(banner(page)).toHaveCount(0);
    await page.reload();
    await settled(page);
    await expect(banner(page)).toHaveCount(0);
    const cookie = (await context.cookies()).find(({ name }) => name === "license-notice");
    const hours = ((cookie?.expires ?? 0) - Date.now() / 1000) / 3600;
    expect(Math.round(hours)).toBe(24);

    await context.clearCookies({ name: "license-notice" });
    await page.reload();
    await banner(page)
      .getByRole("link", { name: t("license.banner.open") })
      .click();
    await expect(page).toHaveURL(/tab=license/);
  },
);

test.describe("the states of a license", () => {
  const nowSeconds = () => Math.floor(Date.now() / 1000);

  /** Keeps a token without asking for its validity, as if the time of a valid one had passed. */
  async function keep(token: string | null): Promise<void> {
    const client = new pg.Client({ connectionString: own.databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO "License" ("id", "token") VALUES (1, $1) ON CONFLICT ("id") DO UPDATE SET "token" = EXCLUDED."token"`,
      [token],
    );
    await client.end();
  }

  /** Signs in and opens the license. */
  async function openLicense(page: Page): Promise<void> {
    const admin = await own.signIn();
    await page.context().addCookies((await admin.request.storageState()).cookies);
    await admin.dispose();
    await page.goto(`${own.url}/admin-app-config?tab=license`);
    await settled(page);
  }

  const states = [
    { state: "none", days: null, shows: t("license.empty.title") },
    { state: "valid", days: 200, shows: t("license.status.valid") },
    { state: "near its end", days: 12, shows: t("license.status.near_expiry") },
    { state: "expired", days: -3, shows: t("license.status.expired") },
  ] as const;

  for (const { state, days, shows } of states) {
    test(
      `a license that is ${state} is told so, without an axe violation in either theme, on the phone and on the desktop`,
      slowUnless(state === "near its end"),
      async ({ page }) => {
        const ends = days === null ? null : nowSeconds() + days * DAY_SECONDS - 60;
        await keep(ends === null ? null : signedLicense({ iat: nowSeconds() - 400 * DAY_SECONDS, exp: ends }));
        await openLicense(page);
        await expect(page.getByRole("main").getByText(shows, { exact: true })).toBeVisible();
        await expect(banner(page)).toHaveCount(days !== null && days <= 30 ? 1 : 0);
        await expectAccessible(page);
      },
    );
  }

  test(
    "a token of another key, without a signature or from the future is refused with the reason, and the license stays",
    SLOW,
    async ({ page, problems }) => {
      problems.expect(/422/);
      await keep(signedLicense());
      await openLicense(page);
      await page
        .getByRole("main")
        .getByRole("button", { name: t("license.update"), exact: true })
        .click();
      const dialog = page.getByRole("dialog");
      const field = dialog.getByRole("textbox", { name: t("license.token") });
      const [, claims] = signedLicense().split(".");
      const none = `${Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")}.${claims}.`;
      const { privateKey } = generateKeyPairSync("ed25519");
      const refused = [
        { token: signedLicense({}, { key: privateKey }), reason: t("errors.invalid_license.signature") },
        { token: none, reason: t("errors.invalid_license.algorithm") },
        { token: signedLicense({ iat: nowSeconds() + 3600 }), reason: t("errors.invalid_license.future") },
        { token: signedLicense({ exp: nowSeconds() - 60 }), reason: t("errors.invalid_license.expired") },
      ];
      for (const { token, reason } of refused) {
        await field.fill(token);
        await dialog.getByRole("button", { name: t("license.update"), exact: true }).click();
        await expect(dialog.getByRole("alert").getByText(reason, { exact: true })).toBeVisible();
        await expect(field).toHaveValue(token);
      }
      await expectAccessible(page, { overlay: true });
      await page.reload();
      await expect(page.getByRole("main").getByText(t("license.status.valid"), { exact: true })).toBeVisible();
    },
  );
});
