import { gzipSync } from "node:zlib";
import type { Bench } from "../bench.ts";
import type { Row } from "../report.ts";
import { nameOf, screensOf } from "../screens.ts";

const LIMIT_BYTES = 200_000;

/** Returns the URLs of the scripts that a page's HTML loads or preloads. */
function scriptsOf(html: string): string[] {
  const urls = [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.js)"[^>]*>/g)]
    // Only old browsers load these.
    .filter(([tag]) => !/\bnoModule\b/i.test(tag))
    .map(([, url]) => url as string);
  return [...new Set(urls)];
}

/** Measures the gzip size of the JavaScript that each screen loads first. */
export async function firstLoadRows(bench: Bench): Promise<Row[]> {
  const sizes = new Map<string, number>();
  const rows: Row[] = [];
  for (const screen of await screensOf(bench)) {
    // The sign-in page redirects a signed-in user.
    const headers: Record<string, string> = screen === "/" ? {} : { cookie: bench.cookie };
    const page = await fetch(bench.baseUrl + screen, { headers, redirect: "manual" });
    let total = 0;
    for (const url of scriptsOf(await page.text())) {
      if (!sizes.has(url)) {
        const script = await fetch(new URL(url, bench.baseUrl));
        sizes.set(url, gzipSync(Buffer.from(await script.arrayBuffer())).length);
      }
      total += sizes.get(url) as number;
    }
    rows.push({
      what: `first load of ${nameOf(screen)}`,
      measured: `${Math.round(total / 1000)} kB`,
      reference: null,
      ratio: null,
      goal: "at most 200 kB",
      met: total > 0 && total <= LIMIT_BYTES,
    });
  }
  return rows;
}
