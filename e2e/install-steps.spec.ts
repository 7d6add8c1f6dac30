import type { Page } from "@playwright/test";
import { INSTALL_STEPS, type InstallStep } from "../lib/kernel/install-steps";
import { anApk, anIpa, sha256Of, sha256OfFile } from "../testing/installers";
import { startCuttingProxy } from "./fixtures/cutting-proxy";
import { t } from "./fixtures/messages";
import { ANDROID } from "./fixtures/phones";
import { expect, test } from "./fixtures/test";
import { ReleasePage } from "./pages/release-page";

/** More than the system keeps of a connection that nobody reads. */
const FILLER_BYTES = 16 * 1024 * 1024;

/** The steps of the installations of a release as its page shows them: the rows of the table. */
async function expectSteps(page: Page, releaseId: string, counts: Partial<Record<InstallStep, number>>): Promise<void> {
  await page.goto(ReleasePage.path(releaseId));
  const table = page.getByRole("table", { name: new RegExp(`^${t("funnel.complete")}`) });
  for (const step of INSTALL_STEPS.filter((one) => counts[one] !== undefined)) {
    const row = table
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: t(`funnel.steps.${step}`) }) });
    await expect(row.getByRole("cell")).toHaveText(String(counts[step]));
  }
}

test("a link is opened and tapped on Android, and its download is cut and resumed: each step counts once, as the link does", async ({
  browser,
  page,
  admin,
  place,
  problems,
  baseURL,
  locale,
}) => {
  const apk = await anApk(place.identifier, { fillerBytes: FILLER_BYTES });
  const { environmentId } = place;
  const fields = { environmentId, description: "What changed" };
  // The link gives each device the file that it installs.
  await admin.publish(anIpa(place.identifier), fields);
  const release = await admin.publish(apk, fields);
  const input = { environmentId, name: "For testers", maxInstalls: 1 };
  const link = await admin.command("share-links/create-share-link", input);
  const proxy = await startCuttingProxy(/download-testing-deploy-by-token/);
  const context = await browser.newContext({
    ...ANDROID,
    baseURL,
    locale,
    proxy: proxy.settings,
    javaScriptEnabled: false,
    storageState: { cookies: [], origins: [] },
  });
  problems.watch(context);
  const phone = await context.newPage();
  // Twice, which is one visit.
  for (const _ of [1, 2]) await phone.goto(new URL(link.url).pathname);
  const downloading = phone.waitForEvent("download");
  await phone.getByRole("button", { name: t("install.action"), exact: true }).click();
  const download = await downloading;
  expect(await proxy.resumed).toMatch(/^bytes=[1-9]\d*-/);
  await expectSteps(page, release.id, { opened: 1, tapped: 1, begun: 1, complete: 0 });

  proxy.release();
  expect(await sha256OfFile(await download.path())).toBe(sha256Of(apk.bytes));
  await expectSteps(page, release.id, { opened: 1, tapped: 1, begun: 1, complete: 1 });
  const { items } = await admin.query("share-links/get-share-links", { environmentId });
  expect(items).toMatchObject([{ installed: 1, ended: "used-up" }]);
  await context.close();
  proxy.stop();
});
