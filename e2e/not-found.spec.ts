import type { Page } from "@playwright/test";
import { LOCALE_COOKIE } from "../lib/kernel/i18n/locales.ts";
import { t, textsIn } from "./fixtures/messages";
import { axeViolations, PHONE, sidewaysOverflow } from "./fixtures/page-health";
import { expect, test } from "./fixtures/test";
import { languagesThatOverflow } from "./fixtures/translated-page";

const NONE = "0192f0c0-0000-7000-8000-000000000000";

/** Takes note of each time that a page is loaded as a document. */
function loadsOf(page: Page): string[] {
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
  });
  return loads;
}

const title = (page: Page) => page.getByRole("heading", { name: t("shell.notFound.title"), exact: true });

test.beforeEach(({ problems }) => problems.expect(/404|#419/));

test.describe("an unknown path", () => {
  test.use({ signedIn: false, firstVisit: true });

  test("is answered with 404 and loaded once, in the language of the browser, with a link to the sign-in", async ({
    page,
  }) => {
    const loads = loadsOf(page);
    expect((await page.goto("/no-such-page"))?.status()).toBe(404);
    await expect(title(page)).toBeVisible();
    await page.context().addCookies([{ name: LOCALE_COOKIE, value: "de", url: page.url() }]);
    await page.goto("/no-such-page");
    await expect(page.getByRole("heading", { name: textsIn("de")("shell.notFound.title") })).toBeVisible();
    expect(loads).toEqual(["/no-such-page", "/no-such-page"]);
    await page.getByRole("link", { name: textsIn("de")("shell.notFound.action") }).click();
    await expect(page).toHaveURL("/");
  });

  test("has a page without scripts in which axe finds nothing in either theme, and that fits a phone", async ({
    page,
  }) => {
    await page.setViewportSize(PHONE);
    await page.goto("/no-such-page");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeViolations(page), colorScheme).toEqual([]);
    }
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(await languagesThatOverflow(page)).toEqual([]);
  });
});

const PAGES_OF_APP = [
  "/registered-app",
  "/app-environments",
  "/manage-app-environments",
  "/testers",
  "/share-links",
  "/feedback",
  "/bin",
];
const PAGES_OF_ENVIRONMENT = [
  "/environment-app",
  "/testing-deploys",
  "/dev-variables",
  "/manage-testing-deploys",
  "/manage-dev-variables",
];

test("a missing record is answered with 404 and loaded once, and one that exists with 200", async ({ page, place }) => {
  const { appId, environmentId } = place;
  const missing = [
    ...PAGES_OF_APP.map((path) => `${path}?app=${NONE}`),
    ...PAGES_OF_ENVIRONMENT.flatMap((path) => [
      `${path}?app=${appId}&environment=${NONE}`,
      `${path}?app=${NONE}&environment=${environmentId}`,
    ]),
    `/registered-app?app=x`,
    `/releases?id=${NONE}`,
    `/releases?app=${NONE}`,
  ];
  // The status is that of the server; what the browser does with it is the same for all.
  for (const path of missing) expect([path, (await page.request.get(path)).status()]).toEqual([path, 404]);
  for (const path of [missing[0] as string, missing.at(-1) as string]) {
    const loads = loadsOf(page);
    expect([path, (await page.goto(path))?.status()]).toEqual([path, 404]);
    await expect(title(page), path).toBeVisible();
    expect(loads, path).toHaveLength(1);
    page.removeAllListeners("request");
  }
  const existing = [
    ...PAGES_OF_APP.map((path) => `${path}?app=${appId}`),
    ...PAGES_OF_ENVIRONMENT.map((path) => `${path}?app=${appId}&environment=${environmentId}`),
  ];
  for (const path of existing) expect([path, (await page.request.get(path)).status()]).toEqual([path, 200]);
});

test("a page of an environment that its address does not name asks for the environment and opens there", async ({
  page,
  place,
}) => {
  for (const path of ["/dev-variables", "/manage-testing-deploys"]) {
    await page.goto(`${path}?search=${encodeURIComponent(place.appName)}`);
    await page
      .getByRole("list", { name: t("environments.title") })
      .getByRole("link")
      .first()
      .click();
    await expect(page).toHaveURL(`${path}?app=${place.appId}&environment=${place.environmentId}`);
    await expect(page.getByRole("heading", { level: 1, name: place.appName })).toBeVisible();
  }
});

test("a sign-in that failed shows the brand, the languages and the theme", async ({ page }) => {
  await page.goto("/oauth-login?error=cancelled");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Slipway" })).toBeVisible();
  await expect(header.getByRole("button")).toHaveCount(2);
});
