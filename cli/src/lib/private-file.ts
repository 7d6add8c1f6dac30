import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileFailure, usageFailure } from "./failure";
import type { Environment } from "./terminal";

/** The user's home folder; null for a user without one, such as one of a container that the system does not know. */
function homeFolder(environment: Environment): string | null {
  if (environment.HOME) return environment.HOME;
  try {
    return homedir() || null;
  } catch {
    return null;
  }
}

/**
 * The folder of the tool's own files, by the platform's convention (on Linux, the XDG Base Directory Specification); null for a
 * user without a home folder.
 */
function configurationFolder(environment: Environment, platform: NodeJS.Platform): string | null {
  if (environment.SLIPWAY_CONFIG_DIR) return environment.SLIPWAY_CONFIG_DIR;
  const home = homeFolder(environment);
  if (home === null) return null;
  if (platform === "win32") return join(environment.APPDATA || join(home, "AppData", "Roaming"), "slipway");
  if (platform === "darwin") return join(home, "Library", "Application Support", "slipway");
  return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "slipway");
}

/** One of the tool's own files; null for a user without a home folder, for whom nothing is stored. */
export function privateFile(
  { environment, platform }: { environment: Environment; platform: NodeJS.Platform },
  name: string,
): string | null {
  const folder = configurationFolder(environment, platform);
  return folder && join(folder, name);
}

/**
 * Reads a JSON file that only its owner can read, and takes the access of others away.
 * @returns undefined if there is none
 * @throws Failure if it cannot be read or is damaged
 */
export function readPrivateJson(path: string | null, platform: NodeJS.Platform): unknown {
  if (path === null) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    if (platform !== "win32" && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw fileFailure(path, error) ?? error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usageFailure(`${path} is damaged.`, "Delete it and sign in again.");
  }
}

/**
 * Writes a JSON file with mode 0600 in a folder with mode 0700. A reader sees the old or the new content, never a part.
 * @throws Failure if it cannot be written, such as on a full disk; the old content stays
 */
export function writePrivateJson(path: string | null, value: unknown): void {
  if (path === null) {
    throw usageFailure("This user has no home folder.", "Set SLIPWAY_CONFIG_DIR to a folder for the tool's own files.");
  }
  const temporary = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    removeDraft(temporary);
    throw fileFailure(path, error) ?? error;
  }
}

/** Removes a file that may never have been written, such as below a HOME that is no folder. */
export function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The failure to write it is what is told.
  }
}
