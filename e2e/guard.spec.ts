import type { Page } from "@playwright/test";
import { baseUrl } from "../testing/environment.ts";
import { turnOnTwoFactor } from "../testing/two-factor";
import { ADMIN_PAGES, CONSOLE_PAGES, contextOf, PAGES_WITH_LINKS, test, testLinksOf } from "./fixtures/dead-links";
import { t } from "./fixtures/messages";
import { expect, type Place } from "./fixtures/test";

/** Where the server redirects a request for a page to. */
async function redirectionOf(page: Page, path: string): Promise<URL> {
  const answer = await page.request.get(path, { maxRedirects: 0 });
  expect([path, answer.status()]).toEqual([path, 307]);
  return new URL(answer.headers().location ?? "", baseUrl());
}

/**
 * Expects that each page redirects to another one, which keeps the wanted page, and that a browser shows that one. The
 * redirections are answers of the server, which need no browser.
 */
async function expectLedTo(page: Page, place: Place, pathname: string, title: string): Promise<void> {
  const paths = [...ADMIN_PAGES, ...CONSOLE_PAGES];
  for (const path of paths) {
    const wanted = `${path}?${contextOf(place)}`;
    const { pathname: to, searchParams } = await redirectionOf(page, wanted);
    expect([path, to, searchParams.get("next")]).toEqual([path, pathname, wanted]);
  }
  const wanted = `${paths[0]}?${contextOf(place)}`;
  await page.goto(wanted);
  await expect(page).toHaveURL((url) => url.pathname === pathname && url.searchParams.get("next") === wanted);
  await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
}

test("the route tree has pages for administrators and for everybody", () => {
  expect(ADMIN_PAGES).toContain("/admin-dashboard");
  expect(CONSOLE_PAGES).toContain("/home");
});

test("every page redirects a visitor without a session to the sign-in, which keeps the wanted page", async ({
  page,
  place,
}) => {
  await expectLedTo(page, place, "/", t("auth.title"));
});

test("every page redirects a user who has still to pass the second factor to that step, which keeps the wanted page", async ({
  page,
  place,
  enterAs,
}) => {
  const person = await enterAs({ scopes: ["release:read"], appId: place.appId });
  const { client } = await turnOnTwoFactor(baseUrl(), person);
  await client.dispose();
  await expectLedTo(page, place, "/two-factor", t("twoFactor.signIn.title"));
});

test("every page of the administration redirects other users home, with any role", async ({ page, place, enterAs }) => {
  await enterAs({ scopes: ["release:read", "release:create", "environment:write"], appId: place.appId });
  for (const path of ADMIN_PAGES) {
    const { pathname } = await redirectionOf(page, `${path}?${contextOf(place)}`);
    expect([path, pathname]).toEqual([path, "/home"]);
  }
  expect((await page.goto(ADMIN_PAGES[0] as string))?.status()).toBe(200);
  await expect(page).toHaveURL((url) => url.pathname === "/home");
});

test("the pages about running the console are served to administrators, and not found by others", async ({
  page,
  place,
  enterAs,
  admin,
}) => {
  const path = "/docs/operations/backup";
  const administrator = admin.request;
  expect((await administrator.get(path)).status()).toBe(200);
  for (const list of ["/docs", "/docs?q=BACKUP_SCHEDULE"])
    expect(await (await administrator.get(list)).text()).toContain(path);
  await enterAs({ scopes: ["release:read", "environment:write"], appId: place.appId });
  expect((await page.request.get(path)).status()).toBe(404);
  for (const list of ["/docs", "/docs?q=BACKUP_SCHEDULE", "/docs/expiry"]) {
    const text = await (await page.request.get(list)).text();
    expect(text).toContain("/docs/first-release");
    expect(text).not.toContain("/docs/operations");
  }
});

// `guard.slow.spec.ts` has the other roles, and all pages.
testLinksOf("may only look at releases", ["release:read"], PAGES_WITH_LINKS);
