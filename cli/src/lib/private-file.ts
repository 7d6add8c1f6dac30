import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileFailure, usageFailure } from "./failure";
import type { Environment } from "./terminal";

/** The folder of the tool's own files, by the platform's convention (on Linux, the XDG Base Directory Specification). */
export function configurationFolder(environment: Environment, platform: NodeJS.Platform): string {
  if (environment.SLIPWAY_CONFIG_DIR) return environment.SLIPWAY_CONFIG_DIR;
  const home = environment.HOME || homedir();
  if (platform === "win32") return join(environment.APPDATA || join(home, "AppData", "Roaming"), "slipway");
  if (platform === "darwin") return join(home, "Library", "Application Support", "slipway");
  return join(environment.XDG_CONFIG_HOME || join(home, ".config"), "slipway");
}

/**
 * Reads a JSON file that only its owner can read, and takes the access of others away.
 * @returns undefined if there is none
 * @throws Failure if it cannot be read or is damaged
 */
export function readPrivateJson(path: string, platform: NodeJS.Platform): unknown {
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
export function writePrivateJson(path: string, value: unknown): void {
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
