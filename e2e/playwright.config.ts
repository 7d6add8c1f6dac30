import { defineConfig, devices, type ReporterDescription } from "@playwright/test";
import { namedChromium } from "../scripts/lib/chromium.mjs";
import { SLOW_TESTS } from "../scripts/lib/witnesses.mjs";

/** Set by `npm test`, which counts the results from this file. */
const reportFile = process.env.SLIPWAY_TEST_REPORT;
const reporter: ReporterDescription[] = reportFile ? [["dot"], ["json", { outputFile: reportFile }]] : [["list"]];
// The CI workflow uploads this report when a test fails.
if (process.env.CI) reporter.push(["html", { open: "never", outputFolder: "../playwright-report" }]);

/** Set by `npm run test:slow`: the tests that take minutes or affect the whole machine, and the whole of each matrix. */
const isSlow = process.env.SLIPWAY_TESTS === "slow";

export default defineConfig({
  testDir: ".",
  projects: [
    {
      name: "journeys",
      testMatch: "**/*.spec.ts",
      ...(isSlow ? { grep: SLOW_TESTS } : { grepInvert: SLOW_TESTS }),
      teardown: "secrets",
    },
    // After all others: what the run left behind has none of the secrets that its tests used.
    { name: "secrets", testMatch: "secrets.check.ts" },
  ],
  outputDir: "../test-results",
  globalSetup: ["./canaries.ts", "./template.ts"],
  // Slow tests kill processes, fill disks and add a network interface, which ends the requests of every Chromium.
  workers: isSlow ? 1 : 2,
  retries: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  // For what hangs outside of a test; a run takes a tenth of it.
  globalTimeout: 2 * 60 * 60_000,
  // As long as a busy machine may take; a quiet one takes a tenth of it.
  expect: { timeout: 20_000 },
  reporter,
  use: {
    ...devices["Desktop Chrome"],
    locale: "es-ES",
    timezoneId: "Europe/Madrid",
    // Something that moves is not where it is clicked, and something that fades in has less contrast.
    reducedMotion: "reduce",
    // It takes control at some moment after the first load, and requests that pass it cannot be held.
    serviceWorkers: "block",
    // Recording takes as much time as the pages themselves. To record a failing test: `--trace=on`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      // Without a locale of UTF-8, Chromium on Linux knows no file name but in ASCII.
      env: { ...process.env, LC_ALL: "C.UTF-8" },
      // `npm test` names the one that it found.
      executablePath: namedChromium(),
      args: [
        // Root may not use Chromium's sandbox; the pages that these tests open are our own.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
