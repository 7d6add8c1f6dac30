import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/lib/chromium.mjs";
import type { Bench } from "../bench.ts";
import { median, notMeasured, type Row, seconds } from "../report.ts";
import { nameOf, screensOf } from "../screens.ts";

const ROUNDS = 3;
const CPU_SLOWDOWN = 4;
const LIMIT_MS = 1_200;

/** Opens a screen with an empty cache. @returns the time of its Largest Contentful Paint, in milliseconds */
async function paintOf(browser: Browser, bench: Bench, screen: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: bench.baseUrl });
  try {
    if (screen !== "/") {
      const [name, value] = bench.cookie.split("=") as [string, string];
      await context.addCookies([{ name, value, url: bench.baseUrl }]);
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.goto(screen, { waitUntil: "networkidle" });
    // After the last request, the largest element has been painted.
    const paint = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
            type: "largest-contentful-paint",
            buffered: true,
          });
        }),
    );
    return paint;
  } finally {
    await context.close();
  }
}

/** Measures the Largest Contentful Paint of each screen in Chromium with a throttled CPU. */
export async function paintRows(bench: Bench): Promise<Row[]> {
  const found = await findChromium(() => {});
  if ("missing" in found || !existsSync(found.path)) {
    return [notMeasured("Largest Contentful Paint", "missing" in found ? found.missing : "no Chromium")];
  }
  const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
  try {
    const rows: Row[] = [];
    for (const screen of await screensOf(bench)) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) times.push(await paintOf(browser, bench, screen));
      const time = median(times);
      rows.push({
        what: `Largest Contentful Paint of ${nameOf(screen)}, CPU ${CPU_SLOWDOWN} × slower`,
        measured: seconds(time),
        reference: null,
        ratio: null,
        goal: "at most 1.2 s",
        met: time > 0 && time <= LIMIT_MS,
      });
    }
    return rows;
  } finally {
    await browser.close();
  }
}
