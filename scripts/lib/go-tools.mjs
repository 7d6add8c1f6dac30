import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { projectDir } from "./files.mjs";

const CACHE = join(projectDir, "node_modules", ".cache", "go-tools");

/**
 * A program of another project that the checks run. Its version is fixed, so that a check finds the same everywhere.
 *
 * @typedef {object} GoTool
 * @property {string} name
 * @property {string} module with its version
 * @property {string[]} [flags] of `go install`
 */

/** @satisfies {Record<string, GoTool>} */
export const GO_TOOLS = {
  // Without the service discoveries that the configuration does not use, it builds in a fraction of the time.
  promtool: {
    name: "promtool",
    module: "github.com/prometheus/prometheus/cmd/promtool@v0.316.0",
    flags: ["-tags=remove_all_sd,enable_dns_sd"],
  },
  actionlint: { name: "actionlint", module: "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12" },
  helm: { name: "helm", module: "helm.sh/helm/v3/cmd/helm@v3.22.0" },
  kubeconform: { name: "kubeconform", module: "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0" },
};

/** The program is not there and cannot be built. */
export class MissingTool extends Error {}

/**
 * @param {string} name
 * @param {readonly string[]} more folders besides those of PATH
 * @returns {string | undefined}
 */
function findOnPath(name, more = []) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...more].filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** @returns {string} the path of Go */
export function findGo() {
  const go = findOnPath("go", ["/usr/local/go/bin"]);
  if (!go) throw new MissingTool("Go is needed (https://go.dev/dl)");
  return go;
}

/**
 * Finds a program: on the PATH, else in the cache, else builds it with Go, which takes minutes.
 *
 * @param {GoTool} tool
 * @returns {string} its path
 * @throws MissingTool
 */
export function findGoTool({ name, module, flags = [] }) {
  const cached = join(CACHE, name);
  const found = findOnPath(name) ?? (existsSync(cached) ? cached : undefined);
  if (found) return found;
  const go = findGo();
  console.log(`Building ${module} …`);
  mkdirSync(CACHE, { recursive: true });
  // Built in a folder of its own, so that a run that is interrupted leaves no half of a program.
  const folder = mkdtempSync(join(CACHE, "build-"));
  try {
    execFileSync(go, ["install", ...flags, module], {
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: "0" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    renameSync(join(folder, name), cached);
    return cached;
  } catch (cause) {
    throw new MissingTool(`${name} is neither on the PATH nor could it be built with Go`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a program with its output on the terminal.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {boolean} whether it succeeded
 */
export function succeeds(program, args, cwd) {
  console.log(`$ ${[program.split("/").at(-1), ...args].join(" ")}`);
  return spawnSync(program, args, { cwd, stdio: "inherit" }).status === 0;
}
