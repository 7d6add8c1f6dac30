import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { runQuietly } from "./children.mjs";
import { lastLines } from "./console.mjs";
import { projectDir } from "./files.mjs";

/** The path of Debian's package. */
const systemChromium = "/usr/bin/chromium";

/**
 * Finds a Chromium that runs: the one of SLIPWAY_CHROMIUM, of the system or of Playwright. If there is none, downloads
 * Playwright's, or installs Debian's package if run by root.
 *
 * @param {(detail: string) => void} report
 * @returns {Promise<{ path: string } | { missing: string }>} the path of the program, or the reason why there is none
 */
export async function findChromium(report) {
  const own = process.env.SLIPWAY_CHROMIUM;
  const candidates = [own, systemChromium, playwrightChromium()];
  for (const path of candidates) {
    if (path && (await runs(path))) {
      report(path);
      return { path };
    }
  }
  /** @type {string[]} */
  const reasons = [];
  const attempts = [
    { what: "Playwright's download", path: playwrightChromium, get: downloadChromium },
    { what: "Debian's package", path: () => systemChromium, get: installPackage },
  ];
  for (const { what, path, get } of attempts) {
    try {
      await get();
      if (await runs(path())) {
        report(`${path()}, by ${what}`);
        return { path: path() };
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

/** @returns {string} the path at which Playwright stores its Chromium */
function playwrightChromium() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  return chromium.executablePath();
}

/** @param {string} path */
async function runs(path) {
  if (!existsSync(path)) return false;
  try {
    await promisify(execFile)(path, ["--version"], { timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

async function downloadChromium() {
  const cli = join(projectDir, "node_modules", "@playwright", "test", "cli.js");
  // Playwright waits for each of several attempts; a network that drops packets would take minutes.
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000", ...process.env };
  const options = { cwd: projectDir, env };
  await runQuietly("playwright install", process.execPath, [cli, "install", "chromium"], options, findDownloadError);
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
  await runQuietly("apt-get install", "apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
}
