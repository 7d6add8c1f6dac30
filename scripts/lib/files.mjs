import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
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
