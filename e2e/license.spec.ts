import type { Page } from "@playwright/test";
import { publicKeyText, signedLicense, vendorKeys } from "@/lib/testing/license";
import { ADMIN } from "./environment.ts";
import { type Deployment, startDeployment } from "./fixtures/deployment";
import { t } from "./fixtures/messages";
import { axeViolations, settled } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";
import { SignInPage } from "./pages/sign-in-page";

test.use({ signedIn: false });

const DAY_SECONDS = 86_400;

let deployment: Deployment;
test.beforeAll(async () => {
  const settings = { LICENSE_PUBLIC_KEY: publicKeyText(vendorKeys.publicKey) };
  deployment = await startDeployment("server-license", { settings });
});
test.afterAll(() => deployment?.stop());

const banner = (page: Page) => page.getByRole("region", { name: t("license.banner.label"), exact: true });

/** Enters the token of a license that has these days left. */
async function enter(page: Page, days: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const token = signedLicense({ iat: now - DAY_SECONDS, exp: now + days * DAY_SECONDS - 60 });
  await page
    .getByRole("main")
    .getByRole("button", { name: t("license.update"), exact: true })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: t("license.token") }).fill(token);
  await dialog.getByRole("button", { name: t("license.update"), exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

test("an administrator enters a license, is warned 30 days before its end, and can put the notice away for a day", async ({
  page,
  context,
}) => {
  await page.goto(deployment.url);
  await new SignInPage(page).signIn(ADMIN);
  await page.waitForURL("**/admin-dashboard");
  await page.goto(`${deployment.url}/admin-app-config?tab=license`);
  await settled(page);
  await expect(page.getByText(t("license.empty.title"))).toBeVisible();

  await enter(page, 200);
  const main = page.getByRole("main");
  await expect(main.getByText("B-1001", { exact: true })).toBeVisible();
  await expect(main.getByText(t("license.days", { days: 200 }), { exact: true })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);

  await enter(page, 30);
  await expect(banner(page)).toContainText(t("license.banner.nearExpiry", { days: 30 }));
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${deployment.url}/admin-users`);
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
});
