import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of the project. */
export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Writes a file atomically: a reader sees either the old or the new content, also after a crash.
 *
 * @param {string} file
 * @param {string} content
 * @param {number} [mode] permission bits of a new file
 */
export function writeAtomically(file, content, mode = 0o600) {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, content, { mode, flush: true });
  renameSync(draft, file);
}

/**
 * Lists the files of the project that Git does not ignore, also where Git is not installed or the project is no clone.
 *
 * @param {string} [folder] the root of the project
 * @returns {string[]} relative paths with slashes, sorted
 */
export function listProjectFiles(folder = projectDir) {
  const options = { cwd: folder, encoding: /** @type {const} */ ("utf8"), maxBuffer: 64 * 1024 * 1024 };
  try {
    const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    const listed = execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
    // A file that was removed is still in the index.
    return listed
      .split("\0")
      .filter((file) => file && existsSync(join(folder, file)))
      .sort();
  } catch {
    return walkProject(folder);
  }
}

/**
 * As {@link listProjectFiles}, without Git. It reads the `.gitignore` of the root alone, which is the only one.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function walkProject(folder) {
  const isIgnored = ignoredBy(readFileSync(join(folder, ".gitignore"), "utf8"));
  /** @type {string[]} */
  const found = [];
  const walk = (/** @type {string} */ parent) => {
    for (const entry of readdirSync(join(folder, parent), { withFileTypes: true })) {
      const path = parent + entry.name;
      if (entry.name === ".git" || isIgnored(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else found.push(path);
    }
  };
  walk("");
  return found.sort();
}

/**
 * @param {string} rules the text of a `.gitignore` without `**`, `?`, `[` and escapes
 * @returns {(path: string, isFolder: boolean) => boolean} whether a path is ignored that is in no ignored folder
 */
function ignoredBy(rules) {
  const parsed = rules
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => {
      const isKept = line.startsWith("!");
      const rule = isKept ? line.slice(1) : line;
      const name = rule.replace(/^\/|\/$/g, "");
      const pattern = name.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
      // A rule with a slash before its end holds from the root, any other one in every folder.
      const isAnchored = rule.startsWith("/") || name.includes("/");
      const matches = new RegExp(`${isAnchored ? "^" : "(^|/)"}${pattern}$`);
      return { isKept, onlyFolders: rule.endsWith("/"), matches };
    });
  return (path, isFolder) => {
    const last = parsed.findLast(({ onlyFolders, matches }) => (isFolder || !onlyFolders) && matches.test(path));
    return last !== undefined && !last.isKept;
  };
}
