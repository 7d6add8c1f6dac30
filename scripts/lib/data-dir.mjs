import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { releaseBallast } from "../../lib/storage/disk/ballast-file.mjs";
import { projectDir, writeAtomically } from "./files.mjs";

/** Loads the settings of the project's `.env`, if it exists. Variables that are already set take precedence. */
export function loadEnvFile() {
  const file = join(projectDir, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * @param {string} [folder] that contains .env and .env.example
 * @returns {string[]} the names in .env that .env.example does not have, also not as `NAME` of `NAME_FILE`
 */
export function unknownSettings(folder = projectDir) {
  const file = join(folder, ".env");
  if (!existsSync(file)) return [];
  const known = new Set(Object.keys(parseEnv(readFileSync(join(folder, ".env.example"), "utf8"))));
  const names = Object.keys(parseEnv(readFileSync(file, "utf8")));
  return names.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, "")));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} the absolute path of the data folder
 */
export function resolveDataDir(env) {
  return resolve(projectDir, env.DATA_DIR || ".data");
}

/**
 * Creates the data folder. If its disk is full, deletes the reserve file, because the programs that start next write files.
 * If root creates it, other accounts may enter it but not list it: PostgreSQL then runs under another account.
 *
 * @param {string} dataDir
 */
export function ensureDataDir(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  releaseBallast(dataDir);
}

/**
 * Finds the master key of a data folder, or creates it on the first start: 32 random bytes in base64, readable by the owner
 * only. The key's folder is created together with the key, so a folder without a key means that the key was lost. No new
 * key is created then, because it would hide the loss.
 *
 * @param {string} dataDir
 * @returns {{ file: string, missing: boolean }} `missing` if the key was lost
 */
export function ensureMasterKey(dataDir) {
  const folder = join(dataDir, "keys");
  const file = join(folder, "master.key");
  if (existsSync(file)) return { file, missing: false };
  if (existsSync(folder)) return { file, missing: true };
  const draft = mkdtempSync(join(dataDir, "keys-"));
  writeAtomically(join(draft, "master.key"), `${randomBytes(32).toString("base64")}\n`, 0o600);
  renameSync(draft, folder);
  return { file, missing: false };
}
