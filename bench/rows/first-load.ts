import type { Bench } from "../bench.ts";
import type { Row } from "../report.ts";
import { nameOf, screensOf } from "../screens.ts";

const LIMIT_BYTES = 165_000;
const SIGN_IN_LIMIT_BYTES = 150_000;

/** Returns the URLs of the scripts that a page's HTML loads or preloads. */
function scriptsOf(html: string): string[] {
  const urls = [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^"]+\.js)"[^>]*>/g)]
    // Only old browsers load these.
    .filter(([tag]) => !/\bnoModule\b/i.test(tag))
    .map(([, url]) => url as string);
  return [...new Set(urls)];
}

interface Sizes {
  /** What a browser transfers, which accepts Brotli. */
  brotli: number;
  gzip: number;
}

async function sizesOf(url: URL): Promise<Sizes> {
  const inCoding = async (coding: string) => {
    const { headers } = await fetch(url, { method: "HEAD", headers: { "accept-encoding": coding } });
    return Number(headers.get("content-length"));
  };
  return { brotli: await inCoding("br"), gzip: await inCoding("gzip") };
}

const inKilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

/**
 * Measures the JavaScript that each screen loads first, as the server sends it: in Brotli, which all browsers accept on
 * HTTPS and localhost, and in gzip. The goal is for what a browser transfers.
 */
export async function firstLoadRows(bench: Bench): Promise<Row[]> {
  const known = new Map<string, Sizes>();
  const rows: Row[] = [];
  for (const screen of await screensOf(bench)) {
    // The sign-in page redirects a signed-in user.
    const isSignIn = screen === "/";
    const headers: Record<string, string> = isSignIn ? {} : { cookie: bench.cookie };
    const page = await fetch(bench.baseUrl + screen, { headers, redirect: "manual" });
    const total: Sizes = { brotli: 0, gzip: 0 };
    for (const script of scriptsOf(await page.text())) {
      const sizes = known.get(script) ?? (await sizesOf(new URL(script, bench.baseUrl)));
      known.set(script, sizes);
      total.brotli += sizes.brotli;
      total.gzip += sizes.gzip;
    }
    const limit = isSignIn ? SIGN_IN_LIMIT_BYTES : LIMIT_BYTES;
    rows.push({
      what: `first load of ${nameOf(screen)}, in Brotli as a browser transfers it`,
      measured: `${inKilobytes(total.brotli)} (gzip: ${inKilobytes(total.gzip)})`,
      reference: null,
      ratio: null,
      goal: `at most ${inKilobytes(limit)}`,
      met: total.brotli > 0 && total.brotli <= limit,
    });
  }
  return rows;
}
