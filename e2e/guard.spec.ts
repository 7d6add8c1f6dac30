import { globSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { projectDir } from "../scripts/lib/files.mjs";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { turnOnTwoFactor } from "../testing/two-factor";
import type { Grant, Person } from "./fixtures/database";
import { t } from "./fixtures/messages";
import { settled } from "./fixtures/page-health";
import { test as base, expect, type Place } from "./fixtures/test";

/** The pages of a route group, as the tree has them: a new one is in this matrix by being there. */
function pagesOf(group: string): string[] {
  const root = join(projectDir, "app", `(${group})`);
  return globSync("**/page.tsx", { cwd: root })
    .map((file) => `/${file.replaceAll("\\", "/").replace(/\/?page\.tsx$/, "")}`)
    .sort();
}

const ADMIN_PAGES = pagesOf("admin");
const CONSOLE_PAGES = pagesOf("console");

/** The query that every page with a context understands. */
const contextOf = ({ appId, environmentId }: Place) => `app=${appId}&environment=${environmentId}`;

interface Fixtures {
  /** Signs the browser in as a new user whose role has these grants only. */
  enterAs: (...grants: Grant[]) => Promise<Person>;
}

const test = base.extend<Fixtures>({
  signedIn: false,
  enterAs: async ({ context, database }, use) => {
    await use(async (...grants) => {
      const person = await database.addPerson(grants);
      const client = await ConsoleClient.signIn(baseUrl(), person);
      await context.addCookies((await client.request.storageState()).cookies);
      await client.dispose();
      return person;
    });
  },
});

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

for (const [who, scopes] of [
  ["may only look", ["release:read"]],
  ["may download", ["release:download"]],
  ["may do everything with releases", ["release:create", "release:update", "release:delete", "release:download"]],
  ["may change environments", ["environment:write"]],
] as const) {
  test(`no page shows someone who ${who} a link that leads nowhere, or asks for what is refused`, async ({
    page,
    place,
    admin,
    enterAs,
  }) => {
    const { appId, environmentId, identifier } = place;
    const ipa = anIpa(identifier, { version: "2.4.0", build: "118" });
    const release = await admin.publish(ipa, { environmentId, description: "What changed" });
    await enterAs({ scopes, appId });
    const refused: string[] = [];
    page.on("response", (answer) => {
      if ([401, 403].includes(answer.status())) refused.push(`${answer.status()} ${answer.url()}`);
    });

    const notFound = page.getByRole("heading", { name: t("shell.notFound.title"), exact: true });
    const start = [...CONSOLE_PAGES.map((path) => `${path}?${contextOf(place)}`), `/releases?id=${release.id}`];
    const shown = new Set<string>();
    const opened = new Set<string>();
    for (const path of start) {
      await page.goto(path);
      await settled(page);
      if ((await notFound.count()) === 0) opened.add(path);
      for (const href of await page
        .locator("a[href^='/']")
        .evaluateAll((links) => links.map((a) => a.getAttribute("href")))) {
        if (href !== null) shown.add(href);
      }
    }
    const links = [...shown].filter((href) => !href.startsWith("/api/files/"));
    expect(links.length).toBeGreaterThan(1);
    for (const href of links) {
      expect(ADMIN_PAGES, `a link to ${href}`).not.toContain(new URL(href, baseUrl()).pathname);
      if (href.startsWith("/api/apps/")) {
        expect((await page.request.head(href)).status(), href).toBeLessThan(400);
      } else if (!href.startsWith("/api/") && !opened.has(href)) {
        // A page that does not exist is answered with 404 (`not-found.spec.ts`), which needs no browser.
        const answer = await page.request.get(href);
        expect([href, answer.status()]).toEqual([href, 200]);
      }
    }
    expect(refused).toEqual([]);
  });
}
