import { existsSync } from "node:fs";
import { defineConfig, devices, type ReporterDescription } from "@playwright/test";

const SYSTEM_CHROMIUM = "/usr/bin/chromium";
/** `npm test` names the Chromium that it found; without a name it is Debian's, else Playwright's own. */
const executablePath = process.env.SLIPWAY_CHROMIUM ?? (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined);
/** Set by `npm test`, which counts the results from this file. */
const reportFile = process.env.SLIPWAY_TEST_REPORT;
const reporter: ReporterDescription[] = reportFile ? [["dot"], ["json", { outputFile: reportFile }]] : [["list"]];
// The CI workflow uploads this report when a test fails.
if (process.env.CI) reporter.push(["html", { open: "never", outputFolder: "../playwright-report" }]);

/** Adds a network interface to this machine. */
const CHANGES_NETWORK = "local-network.spec.ts";

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "journeys", testMatch: "**/*.spec.ts", testIgnore: CHANGES_NETWORK, teardown: "secrets" },
    // After the journeys: a new network interface ends the requests of every Chromium on the machine (ERR_NETWORK_CHANGED).
    { name: "network", testMatch: CHANGES_NETWORK, dependencies: ["journeys"] },
    // After all others: what the run left behind has none of the secrets that its tests used.
    { name: "secrets", testMatch: "secrets.check.ts" },
  ],
  outputDir: "../test-results",
  globalSetup: ["./canaries.ts", "./server.ts"],
  workers: 2,
  retries: 0,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  // As long as a busy machine may take; a quiet one takes a tenth of it.
  expect: { timeout: 20_000 },
  reporter,
  use: {
    ...devices["Desktop Chrome"],
    baseURL: process.env.E2E_BASE_URL,
    locale: "en-GB",
    timezoneId: "Europe/Madrid",
    // Recording takes as much time as the pages themselves. To record a failing test: `--trace=on`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      // Without a locale of UTF-8, Chromium on Linux knows no file name but in ASCII.
      env: { ...process.env, LC_ALL: "C.UTF-8" },
      executablePath,
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
