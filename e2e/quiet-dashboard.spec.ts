import type { Page } from "@playwright/test";
import pg from "pg";
import { type Deployment, startDeployment } from "../testing/deployment";
import { anIpa } from "../testing/installers";
import { t } from "./fixtures/messages";
import { expectAccessible, settled, untranslatedKeys } from "./fixtures/page-health";
import { SLOW } from "./fixtures/slow";
import { expect, test } from "./fixtures/test";
import { AppShell } from "./pages/app-shell";

test.use({ signedIn: false });

let deployment: Deployment;
test.beforeAll(async () => {
  deployment = await startDeployment("server-quiet");
});
test.afterAll(() => deployment?.stop());

async function open(page: Page): Promise<void> {
  await page.goto(`${deployment.url}/admin-dashboard`);
  await settled(page);
}

/** The dashboard in both themes on the phone and on the desktop, without a number that is none. */
async function standsWell(page: Page): Promise<void> {
  await expectAccessible(page);
  expect(await untranslatedKeys(page)).toEqual([]);
  await expect(page.getByRole("main")).not.toContainText(/NaN|Infinity|undefined|null/);
}

/** The sum of the numbers in the table of a plot. */
async function sumOfPlot(page: Page, title: string): Promise<number> {
  const cells = page.getByRole("table", { name: title }).getByRole("cell");
  return (await cells.allTextContents()).map(Number).reduce((sum, count) => sum + (Number.isNaN(count) ? 0 : count), 0);
}

test(
  "the dashboard of a console with nothing, with one application, and after a year without a release stands well",
  SLOW,
  async ({ page }) => {
    test.slow();
    const admin = await deployment.signIn();
    await page.context().addCookies((await admin.request.storageState()).cookies);
    const { main } = new AppShell(page);
    const progress = (done: number) => main.getByText(t("dashboard.progress", { done, total: 4 }), { exact: true });
    const identifier = "com.example.lantern";

    await test.step("nothing: the first steps", async () => {
      await open(page);
      await expect(progress(0)).toBeVisible();
      await standsWell(page);
    });

    const app = await admin.command("apps/create-app", { name: "Lantern", identifier });
    await test.step("one application", async () => {
      await open(page);
      await expect(progress(1)).toBeVisible();
      await expect(main.getByText("Lantern").first()).toBeVisible();
      await standsWell(page);
    });

    await test.step("a year of nothing", async () => {
      const environment = await admin.command("apps/create-environment-app", { appId: app.id, name: "Staging" });
      const ipa = anIpa(identifier, { version: "2.4.0", build: "118" });
      await admin.publish(ipa, { environmentId: environment.id, description: "The only one" });
      const client = new pg.Client({ connectionString: deployment.databaseUrl });
      await client.connect();
      await client.query(`UPDATE "Release" SET "deployDate" = "deployDate" - interval '400 days'`);
      await client.query(`UPDATE "DailyActivity" SET "day" = "day" - 400`);
      await client.end();
      await open(page);
      await expect(main.getByRole("link", { name: /2\.4\.0/ }).first()).toBeVisible();
      expect(await sumOfPlot(page, t("plots.adoption"))).toBe(0);
      expect(await sumOfPlot(page, t("plots.fetched"))).toBe(0);
      await standsWell(page);
    });
    await admin.dispose();
  },
);
