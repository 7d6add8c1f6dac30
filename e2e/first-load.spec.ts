import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { baseUrl } from "./environment.ts";
import { ConsoleClient } from "./fixtures/console-client";
import { expect, test } from "./fixtures/test";

/** For a screen, as a browser transfers it. */
const LIMIT_BYTES = 180_000;

const stats: { route: string }[] = JSON.parse(
  readFileSync(join(projectDir, ".next", "diagnostics", "route-bundle-stats.json"), "utf8"),
);
const ROUTES = stats.map(({ route }) => route).filter((route) => route !== "/_not-found");

/** The scripts that a page's HTML loads or preloads, except those for old browsers. */
function scriptsOf(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*?\b(?:src|href)="[^"]+\.js"[^>]*>/g) ?? [];
  const modern = tags.filter((tag) => !/\bnoModule\b/i.test(tag));
  return [...new Set(modern.map((tag) => /"([^"]+\.js)"/.exec(tag)?.[1] as string))];
}

test("each screen loads at most 180 kB of JavaScript first", async ({ admin, place }) => {
  const anonymous = await ConsoleClient.anonymous(baseUrl());
  const query = `?app=${place.appId}&environment=${place.environmentId}`;
  const sizes = new Map<string, number>();
  const screens: Record<string, number> = {};
  for (const { client, paths } of [
    { client: anonymous, paths: ROUTES.filter((route) => ["/", "/setup", "/reset-password"].includes(route)) },
    { client: admin, paths: [...ROUTES.filter((route) => route !== "/").map((route) => route + query)] },
  ]) {
    for (const path of paths) {
      const html = await (await client.request.get(path)).text();
      let total = 0;
      for (const script of scriptsOf(html)) {
        if (!sizes.has(script)) {
          const answer = await client.request.head(script, { headers: { "accept-encoding": "br" } });
          sizes.set(script, Number(answer.headers()["content-length"]));
        }
        total += sizes.get(script) as number;
      }
      screens[path.split("?", 1)[0] as string] = total;
    }
  }
  await anonymous.dispose();
  expect(Object.keys(screens).sort()).toEqual([...ROUTES].sort());
  for (const [screen, bytes] of Object.entries(screens)) expect(bytes, screen).toBeGreaterThan(80_000);
  expect(Object.entries(screens).filter(([, bytes]) => bytes > LIMIT_BYTES)).toEqual([]);
});
