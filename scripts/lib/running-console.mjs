import { join } from "node:path";
import { readPidFile } from "./processes.mjs";

/**
 * The file that records the process of `npm start` or `npm run dev` that serves a data folder. It is written before the build.
 *
 * @param {string} dataDir
 */
export const consoleFile = (dataDir) => join(dataDir, "run", "start.json");

/**
 * @param {string} dataDir
 * @returns {{ pid: number, [detail: string]: unknown } | undefined} the process that serves a data folder; undefined if none does
 */
export function findConsole(dataDir) {
  return readPidFile(consoleFile(dataDir));
}
