import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { runQuietly } from "./children.mjs";
import { projectDir } from "./files.mjs";

/** Where Debian puts its own. */
const systemChromium = "/usr/bin/chromium";

/**
 * Finds a Chromium that runs, and gets one where there is none: the system's, else Playwright's, which is downloaded, else
 * Debian's package, which root may install.
 *
 * @param {(detail: string) => void} tell
 * @returns {Promise<{ path: string } | { missing: string }>} its program, or why there is none
 */
export async function findChromium(tell) {
  const own = process.env.SLIPWAY_CHROMIUM;
  const candidates = [own, systemChromium, playwrightChromium()];
  for (const path of candidates) {
    if (path && (await runs(path))) {
      tell(path);
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
        tell(`${path()}, by ${what}`);
        return { path: path() };
      }
      reasons.push(`${what} does not run here`);
    } catch (error) {
      const said = error instanceof Error ? error.message.trim().split("\n") : [String(error)];
      reasons.push(`${what}: ${said.at(-1)?.trim()}`);
    }
  }
  tell("none");
  return { missing: `there is no Chromium (${reasons.join("; ")})` };
}

/** @returns {string} where Playwright keeps the Chromium that it downloads */
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
  await runQuietly("playwright install", process.execPath, [cli, "install", "chromium"], { cwd: projectDir });
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    throw new Error("only root on Debian may install it");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get update", "apt-get", ["update"], { env });
  await runQuietly("apt-get install", "apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
}
