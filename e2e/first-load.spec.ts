import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { ConsoleClient } from "../testing/console-client";
import { baseUrl } from "../testing/environment.ts";
import { expect, test } from "./fixtures/test";

/** How much JavaScript a screen may load first, as a browser transfers it. */
const limitOf = (route: string) => (route === "/" ? 150_000 : 171_000);

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

test("each screen loads at most 171 kB of JavaScript first, and the sign-in page 150 kB", async ({ admin, place }) => {
  const anonymous = await ConsoleClient.anonymous(baseUrl());
  const query = `?app=${place.appId}&environment=${place.environmentId}`;
  const sizes = new Map<string, number>();
  const screens: Record<string, number> = {};
  for (const route of routes()) {
    // The sign-in page redirects a signed-in user.
    const { request } = route === "/" ? anonymous : admin;
    let total = 0;
    const path = route.replace("/[[...page]]", "/ci");
    for (const script of scriptsOf(await (await request.get(path + query)).text())) {
      if (!sizes.has(script)) {
        const answer = await request.head(script, { headers: { "accept-encoding": "br" } });
        sizes.set(script, Number(answer.headers()["content-length"]));
      }
      total += sizes.get(script) as number;
    }
    screens[route] = total;
  }
  await anonymous.dispose();
  for (const [screen, bytes] of Object.entries(screens)) expect(bytes, screen).toBeGreaterThan(80_000);
  expect(Object.entries(screens).filter(([screen, bytes]) => bytes > limitOf(screen))).toEqual([]);
});
