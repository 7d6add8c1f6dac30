import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { anIpa } from "../testing/installers";
import { IPHONE } from "./fixtures/phones";
import { expect, test } from "./fixtures/test";

/** How much JavaScript a screen may load first, as a browser transfers it (docs/decisions/064-parts-are-hydrated-when-the-page-is-idle.md). */
const SCREEN_BYTES = 165_000;
const TESTER_BYTES = 165_000;
const SIGN_IN_BYTES = 150_000;

/** The paths of all pages of the build. */
function routes(): string[] {
  const file = join(projectDir, ".next", "diagnostics", "route-bundle-stats.json");
  const stats: { route: string }[] = JSON.parse(readFileSync(file, "utf8"));
  return stats.map(({ route }) => route).filter((route) => route !== "/_not-found");
}

/** The scripts that a page's HTML loads or preloads, except those for old browsers. */
function scriptsOf(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*?\b(?:src|href)="[^"]+\.js"[^>]*>/g) ?? [];
  const modern = tags.filter((tag) => !/\bnoModule\b/i.test(tag));
  return [...new Set(modern.map((tag) => /"([^"]+\.js)"/.exec(tag)?.[1] as string))];
}

const sizes = new Map<string, number>();

/** The bytes of the scripts that a page loads first. */
async function firstLoad({ request }: ConsoleClient, path: string, headers = {}): Promise<number> {
  let total = 0;
  for (const script of scriptsOf(await (await request.get(path, { headers })).text())) {
    if (!sizes.has(script)) {
      const answer = await request.head(script, { headers: { "accept-encoding": "br" } });
      sizes.set(script, Number(answer.headers()["content-length"]));
    }
    total += sizes.get(script) as number;
  }
  return total;
}

/** Expects that each of some pages loads scripts, and at most so many bytes of them. */
function expectWithin(limit: number, pages: Record<string, number>): void {
  for (const [page, bytes] of Object.entries(pages)) expect(bytes, page).toBeGreaterThan(80_000);
  expect(Object.entries(pages).filter(([, bytes]) => bytes > limit)).toEqual([]);
}

/** Publishes three builds, so that one is between the good and the bad one of a search. @returns their IDs */
async function publishThree(
  admin: ConsoleClient,
  { environmentId, identifier }: { environmentId: string; identifier: string },
): Promise<[string, string, string]> {
  const ids: string[] = [];
  for (const build of ["116", "117", "118"]) {
    const ipa = anIpa(identifier, { version: "2.4.0", build });
    ids.push((await admin.publish(ipa, { environmentId, description: "What changed" })).id);
  }
  return ids as [string, string, string];
}

test("each screen loads at most 165 kB of JavaScript first, and the sign-in page 150 kB", async ({ admin, place }) => {
  const { appId, environmentId, identifier } = place;
  const query = `?app=${appId}&environment=${environmentId}`;
  const [good, , bad] = await publishThree(admin, { environmentId, identifier });
  const bisect = await admin.command("apps/start-bisect", { environmentId, goodId: good, badId: bad });
  const screens: Record<string, number> = {};
  // Those of one release and of one search are shown for the paths with an ID.
  for (const route of routes().filter((one) => one !== "/" && !one.endsWith("/one"))) {
    screens[route] = await firstLoad(admin, route.replace("/[[...page]]", "/ci") + query);
  }
  for (const path of [
    `/releases?id=${bad}`,
    `/bisect?id=${bisect.id}`,
    ...["enable-sso", "configure-sso", "api-tokens", "license"].map((tab) => `/admin-app-config?tab=${tab}`),
    ...["passkeys", "two-factor"].map((tab) => `/profile?tab=${tab}`),
    ...["connect", "access", "settings"].map((tab) => `/environment-app${query}&tab=${tab}`),
    ...["environments", "history"].map((tab) => `/dev-variables${query}&tab=${tab}`),
  ]) {
    screens[path] = await firstLoad(admin, path);
  }
  expectWithin(SCREEN_BYTES, screens);
  // It redirects a signed-in user.
  const anonymous = await ConsoleClient.anonymous(baseUrl());
  expectWithin(SIGN_IN_BYTES, { "/": await firstLoad(anonymous, "/") });
  await anonymous.dispose();
});

test("the pages of testers load at most 165 kB of JavaScript first, on their phones too", async ({
  admin,
  database,
  place,
}) => {
  const { appId, environmentId, identifier } = place;
  const person = await database.addPerson([{ scopes: ["release:read", "release:download"], appId, environmentId }]);
  const tester = await ConsoleClient.signIn(baseUrl(), person);
  const [good, , id] = await publishThree(admin, { environmentId, identifier });
  const bisect = await tester.command("apps/start-bisect", { environmentId, goodId: good, badId: id });
  const pages: Record<string, number> = {};
  for (const path of [
    "/home",
    `/releases?id=${id}`,
    `/releases?app=${appId}`,
    `/app-environments?app=${appId}`,
    "/profile",
    "/devices",
    "/bisect",
    `/bisect?id=${bisect.id}`,
    "/expiry",
  ]) {
    pages[path] = await firstLoad(tester, path);
    pages[`${path} on a phone`] = await firstLoad(tester, path, { "user-agent": IPHONE.userAgent as string });
  }
  await tester.dispose();
  expectWithin(TESTER_BYTES, pages);
});
