import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runQuietly } from "./children.mjs";
import { lastLines } from "./console.mjs";
import { projectDir } from "./files.mjs";

/** Debian's packages. The headless shell takes two thirds of the processor time of the whole browser for the same pages. */
const systemShell = "/usr/bin/chromium-headless-shell";
const systemChromium = "/usr/bin/chromium";

/**
 * @returns {string | undefined} the path of the Chromium that SLIPWAY_CHROMIUM names, or of the system's; without one,
 *   Playwright starts its own
 */
export function namedChromium() {
  return process.env.SLIPWAY_CHROMIUM || [systemShell, systemChromium].find((path) => existsSync(path));
}

/** @returns {string | undefined} the path of a whole Chromium, for what its headless shell has not: notifications */
export function wholeChromium() {
  const candidates = [process.env.SLIPWAY_CHROMIUM, systemChromium];
  return candidates.find((path) => path && !/headless[-_]shell/.test(path) && existsSync(path));
}

/**
 * Finds a Chromium that runs: the one of SLIPWAY_CHROMIUM, of the system or of Playwright. If there is none, downloads
 * Playwright's, or installs Debian's package if run by root.
 *
 * @param {(detail: string) => void} report
 * @returns {Promise<{ path: string } | { missing: string }>} the path of the program, or the reason why there is none
 */
export async function findChromium(report) {
  const candidates = [process.env.SLIPWAY_CHROMIUM, systemShell, systemChromium].filter(
    (path) => path && existsSync(path),
  );
  for (const candidate of [...candidates, undefined]) {
    const path = await launchedProgram(candidate);
    if (path) {
      report(path);
      return { path };
    }
  }
  /** @type {string[]} */
  const reasons = [];
  const attempts = [
    { what: "Playwright's download", path: undefined, get: downloadChromium },
    { what: "Debian's package", path: systemShell, get: installPackage },
  ];
  for (const { what, path, get } of attempts) {
    try {
      await get();
      const launched = await launchedProgram(path);
      if (launched) {
        report(`${launched}, by ${what}`);
        return { path: launched };
      }
      reasons.push(`${what} does not run here`);
    } catch (error) {
      const lines = error instanceof Error ? error.message.trim().split("\n") : [String(error)];
      reasons.push(`${what}: ${lines.at(-1)?.trim()}`);
    }
  }
  report("none");
  return { missing: `there is no Chromium (${reasons.join("; ")})` };
}

/**
 * Starts a Chromium and ends it.
 *
 * @param {string | undefined} executablePath by default, Playwright's
 * @returns {Promise<string | undefined>} the path of the program, or undefined if it does not start
 */
async function launchedProgram(executablePath) {
  /** @type {typeof import("@playwright/test")} */
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  try {
    const server = await chromium.launchServer({ executablePath, args: ["--no-sandbox"] });
    const program = server.process().spawnfile;
    await server.close();
    return program;
  } catch {
    return undefined;
  }
}

async function downloadChromium() {
  const cli = join(projectDir, "node_modules", "@playwright", "test", "cli.js");
  // Playwright waits for each of several attempts; a network that drops packets would take minutes.
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000", ...process.env };
  const options = { cwd: projectDir, env };
  await runQuietly(
    "playwright install",
    process.execPath,
    [cli, "install", "--only-shell", "chromium"],
    options,
    findDownloadError,
  );
}

/**
 * @param {string} output the output of `playwright install`
 * @returns {string} the first error, which is the cause of the others; without one, the last lines
 */
export function findDownloadError(output) {
  return /^Error: (.+)$/m.exec(output)?.[1] ?? lastLines(output);
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    throw new Error("only root on Debian may install it");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get update", "apt-get", ["update"], { env });
  await runQuietly(
    "apt-get install",
    "apt-get",
    ["install", "-y", "--no-install-recommends", "chromium-headless-shell"],
    { env },
  );
}
