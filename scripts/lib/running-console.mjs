import { join } from "node:path";
import { readPidFile, writePidFile } from "./processes.mjs";

/**
 * The file that records the process of `npm start` or `npm run dev` that serves a data folder. It is written before the build.
 *
 * @param {string} dataDir
 */
export const consoleFile = (dataDir) => join(dataDir, "run", "start.json");

/**
 * Records where this process serves a data folder, for the maintenance commands, which send requests there and print links.
 *
 * @param {string} dataDir
 * @param {{ port: number, appUrl: string, lanHosts: string }} place as in the settings APP_URL and LAN_HOSTS of the server
 */
export function recordPlace(dataDir, place) {
  writePidFile(consoleFile(dataDir), process.pid, place);
}

/**
 * Takes the address of the console that runs with a data folder into the settings of this process, unless they name one: that of `--lan` is
 * in the process of `npm start` alone.
 *
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} env is changed
 */
export function takeAddress(dataDir, env) {
  const found = findConsole(dataDir);
  const [appUrl, lanHosts] = [found?.appUrl, found?.lanHosts];
  if (env.APP_URL || typeof appUrl !== "string" || typeof lanHosts !== "string") return;
  env.APP_URL = appUrl;
  env.LAN_HOSTS = lanHosts;
}

/**
 * @param {string} dataDir
 * @returns {{ pid: number, [detail: string]: unknown } | undefined} the process that serves a data folder; undefined if none does
 */
export function findConsole(dataDir) {
  return readPidFile(consoleFile(dataDir));
}
