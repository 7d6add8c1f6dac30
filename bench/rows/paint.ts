import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/lib/chromium.mjs";
import type { Bench } from "../bench.ts";
import { CPU_SLOWDOWN, paintOf, startBareServer } from "../references.ts";
import { compared, median, notMeasured, type Row, seconds } from "../report.ts";
import { nameOf, screensOf } from "../screens.ts";

const ROUNDS = 3;
/** A screen is painted at most so many times as late as a page that has nothing but a heading. */
const RATIO_GOAL = 15;

/** Measures the Largest Contentful Paint of each screen in Chromium with a throttled CPU. */
export async function paintRows(bench: Bench): Promise<Row[]> {
  const found = await findChromium(() => {});
  if ("missing" in found || !existsSync(found.path)) {
    return [notMeasured("Largest Contentful Paint", "missing" in found ? found.missing : "no Chromium")];
  }
  const bare = await startBareServer(bench.runDir, "<!doctype html><title>Bare</title><h1>Bare</h1>");
  const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
  try {
    const options = { paint: "largest", viewport: { width: 1440, height: 900 } } as const;
    const rows: Row[] = [];
    for (const screen of await screensOf(bench)) {
      const times: Record<"screen" | "bare", number[]> = { screen: [], bare: [] };
      for (let round = 0; round < ROUNDS; round++) {
        const cookie = screen === "/" ? undefined : bench.cookie;
        times.screen.push(await paintOf(browser, bench.baseUrl + screen, { ...options, cookie }));
        times.bare.push(await paintOf(browser, bare.url, options));
      }
      rows.push(
        compared(`Largest Contentful Paint of ${nameOf(screen)}, CPU ${CPU_SLOWDOWN} × slower`, {
          measured: median(times.screen) || Number.POSITIVE_INFINITY,
          reference: median(times.bare),
          of: "a heading alone",
          format: seconds,
          goal: { most: RATIO_GOAL },
        }),
      );
    }
    return rows;
  } finally {
    await browser.close();
    bare.stop();
  }
}
