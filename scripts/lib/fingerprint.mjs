import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { writeAtomically } from "./files.mjs";

/**
 * @typedef {object} Sources the inputs of a generated artifact
 * @property {string} root absolute
 * @property {(path: string) => boolean} includes called for each file and each folder, which ends with "/"; paths are relative to the root
 * @property {string[]} [extra] other inputs, such as versions and settings
 */

/**
 * @param {Sources} sources
 * @returns {string[]} the files, relative to the root, sorted
 */
export function listSources({ root, includes }) {
  /** @type {string[]} */
  const found = [];
  const walk = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = relative(root, join(folder, entry.name)).split(sep).join("/");
      if (entry.isDirectory()) {
        if (includes(`${path}/`)) walk(join(folder, entry.name));
      } else if (includes(path)) found.push(path);
    }
  };
  walk(resolve(root));
  return found.sort();
}

/**
 * Checks whether sources have changed since they were last stamped: first by size and modification time, then by content if
 * those differ (a fresh checkout has new times and the same content).
 *
 * @param {string} stampFile
 * @param {Sources} sources
 * @returns {{ fresh: boolean, stamp: () => void }} `stamp` records the sources as they were at this call
 */
export function compareWithStamp(stampFile, sources) {
  const files = listSources(sources);
  const extra = sources.extra ?? [];
  const quick = hash(
    extra,
    files.map((path) => {
      const { size, mtimeMs } = statSync(join(sources.root, path));
      return `${path}\0${size}\0${mtimeMs}`;
    }),
  );
  const stamped = readStamp(stampFile);
  if (stamped?.quick === quick) return { fresh: true, stamp: () => {} };
  const content = hash(
    extra,
    files.map(
      (path) =>
        `${path}\0${createHash("sha256")
          .update(readFileSync(join(sources.root, path)))
          .digest("hex")}`,
    ),
  );
  const stamp = () => writeAtomically(stampFile, `${JSON.stringify({ quick, content })}\n`, 0o644);
  const fresh = stamped?.content === content;
  if (fresh) stamp();
  return { fresh, stamp };
}

/**
 * @param {string[]} extra
 * @param {string[]} lines
 */
function hash(extra, lines) {
  return createHash("sha256")
    .update(JSON.stringify([extra, lines]))
    .digest("hex");
}

/**
 * @param {string} file
 * @returns {{ quick?: string, content?: string } | undefined}
 */
function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
