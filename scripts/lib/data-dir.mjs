import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { releaseBallast } from "../../lib/storage/ballast-file.mjs";
import { projectDir, writeAtomically } from "./files.mjs";

/** Takes over the settings of the project's `.env`, where there is one; what the environment says already goes first. */
export function loadEnvFile() {
  const file = join(projectDir, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} the absolute folder that holds all that the product keeps
 */
export function resolveDataDir(env) {
  return resolve(projectDir, env.DATA_DIR || ".data");
}

/**
 * Makes the data folder, and room in it where its disk is full: what is started then writes files of its own. Others may pass through it (a database that root starts runs as somebody else) and not list it.
 *
 * @param {string} dataDir
 */
export function ensureDataDir(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  releaseBallast(dataDir);
}

/**
 * Finds the master key of a data folder, and makes it on the first start: 32 random bytes in base64, for the owner only.
 * Its folder is made with it, so that a folder without a key means that the key was lost; a new one would then hide that.
 *
 * @param {string} dataDir
 * @returns {{ file: string, missing: boolean }} `missing` when there was a key once
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
