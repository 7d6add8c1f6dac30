import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { runQuietly } from "./children.mjs";
import { lastLines, StepError } from "./console.mjs";
import { projectDir } from "./files.mjs";
import { isAtLeast, nodePackageName, readPackageJson } from "./node-version.mjs";

/**
 * @typedef {{ os: string, cpu: string, libc: string | undefined }} Machine with the names that npm uses
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [resolved] the folder of a workspace
 * @property {boolean} [link] whether it is a link to that folder
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock a package-lock.json of version 3
 */

const packagesDir = join(projectDir, "node_modules");
const nodeProgram = process.platform === "win32" ? "node.exe" : "node";
const ownNodePath = ["node", "bin", nodeProgram];
/** The project's own Node, in the package `node`. */
export const ownNode = join(packagesDir, ...ownNodePath);
/** The hash of the lock file that {@link installPackages} last installed. */
const stampFile = join(packagesDir, ".slipway-lock-hash");

/**
 * Compares the lock file with the installed packages, which npm lists in node_modules/.package-lock.json at the end of an
 * installation. Optional packages may be missing, except those for this machine: npm omits them when it runs on a Node that
 * is too old for them.
 *
 * @param {Lock} wanted
 * @param {Lock} installed
 * @param {Machine} machine
 * @returns {string | undefined} the reason to install the packages again; undefined if they are up to date
 */
export function findStaleness(wanted, installed, machine) {
  const have = installed.packages ?? {};
  for (const [path, entry] of Object.entries(wanted.packages ?? {})) {
    if (path === "") continue;
    const found = have[path];
    if (!found && entry.optional && !isMadeFor(entry, machine)) continue;
    if (!found) return `${path} is missing`;
    if (found.version !== entry.version || found.integrity !== entry.integrity) return `${path} is another version`;
  }
  return undefined;
}

/**
 * @param {LockedPackage} entry
 * @param {Machine} machine
 */
function isMadeFor({ os, cpu, libc }, machine) {
  const fitsLibc = !libc || (machine.libc !== undefined && libc.includes(machine.libc));
  return Boolean(os?.includes(machine.os) && cpu?.includes(machine.cpu)) && fitsLibc;
}

/** @returns {Machine} */
function thisMachine() {
  let libc;
  if (process.platform === "linux") {
    const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
    libc = header.glibcVersionRuntime ? "glibc" : "musl";
  }
  return { os: process.platform, cpu: process.arch, libc };
}

/**
 * @param {string} file
 * @returns {Lock | undefined} undefined if the file is missing or malformed
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function hashLock() {
  return createHash("sha256")
    .update(readFileSync(join(projectDir, "package-lock.json")))
    .digest("hex");
}

/**
 * @returns {string | undefined} the reason to install the packages; undefined if they are up to date
 * @throws {StepError} if the lock file is missing or malformed
 */
export function checkPackages() {
  const wanted = readLock(join(projectDir, "package-lock.json"));
  if (!wanted) throw new StepError("package-lock.json is missing or broken. Restore it from the repository.");
  const installed = readLock(join(packagesDir, ".package-lock.json"));
  if (!installed) return "they are missing";
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hashLock()) return undefined;
  return findStaleness(wanted, installed, thisMachine());
}

/**
 * Installs the packages of the lock file. No install script runs. npm before version 11 does not support `allowScripts` and would
 * run all: one of them fails on old versions of Node, and another downloads files that the project does not use.
 *
 * @param {string} minimumNode as in {@link isAtLeast}
 * @throws {StepError} if npm fails
 */
export async function installPackages(minimumNode) {
  const installation = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const isOwn = !relative(packagesDir, process.execPath).startsWith("..");
  if (isAtLeast(process.version, minimumNode) && !isOwn) {
    await runNpm(process.execPath, installation);
  } else {
    await withTemporaryFolder(async (folder) => {
      // npm omits optional packages that need a newer Node than the one it runs on, and it begins by deleting the Node in
      // node_modules. It therefore runs on a temporary copy.
      const node = isOwn ? copyNode(folder) : await fetchNode(folder);
      await runNpm(node, installation);
      placeOwnNode(node);
    });
  }
  writeFileSync(stampFile, hashLock());
}

/** Downloads the project's own Node to {@link ownNode}. */
export async function installOwnNode() {
  await withTemporaryFolder(async (folder) => placeOwnNode(await fetchNode(folder)));
}

/**
 * Puts a Node where the install script of the package `node` puts it. The script itself would download it a second time.
 *
 * @param {string} program the path of the program
 * @param {string} [folder] node_modules
 */
export function placeOwnNode(program, folder = packagesDir) {
  const place = join(folder, ...ownNodePath);
  mkdirSync(dirname(place), { recursive: true });
  // Removed first: npm may have made it a link to a file that other installations share.
  rmSync(place, { force: true });
  copyFileSync(program, place);
  chmodSync(place, 0o755);
  const link = join(folder, ".bin", "node");
  if (process.platform === "win32" || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join("..", ...ownNodePath), link);
}

/**
 * @param {(folder: string) => Promise<void>} use
 */
async function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-node-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
function copyNode(folder) {
  const copy = join(folder, nodeProgram);
  copyFileSync(process.execPath, copy);
  return copy;
}

/**
 * Downloads the project's version of Node into a folder, with the npm of the current Node.
 *
 * @param {string} folder
 * @returns {Promise<string>} the path of the program
 */
async function fetchNode(folder) {
  const name = nodePackageName(process.platform, process.arch);
  const spec = `${name}@${readPackageJson().devDependencies.node}`;
  mkdirSync(join(folder, "node_modules"));
  await runNpm(process.execPath, ["install", "--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", spec]);
  return join(folder, "node_modules", name, "bin", nodeProgram);
}

/**
 * @param {string} node the Node that npm and the programs that it starts run on
 * @param {string[]} args
 */
async function runNpm(node, args) {
  const { npm_execpath: npmCli, PATH } = process.env;
  const ownNpm = npmCli !== undefined && /npm-cli\.c?js$/.test(npmCli) && existsSync(npmCli);
  const [command, first] = ownNpm ? [node, [npmCli]] : [process.platform === "win32" ? "npm.cmd" : "npm", []];
  const options = {
    cwd: projectDir,
    env: { ...process.env, PATH: [dirname(node), PATH].join(delimiter) },
    shell: !ownNpm && process.platform === "win32",
  };
  await runQuietly(`npm ${args[0]}`, command, [...first, ...args], options, findNpmErrors);
}

/**
 * @param {string} output the output of npm
 * @returns {string} the errors, without the usage text after them; without errors, the last lines
 */
export function findNpmErrors(output) {
  const errors = output.split("\n").filter((line) => /^npm (error|ERR!)/.test(line));
  const usage = errors.findIndex((line) => /^npm \S+ Usage:/.test(line));
  return errors.length > 0
    ? lastLines(errors.slice(0, usage === -1 ? undefined : usage).join("\n"))
    : lastLines(output);
}
