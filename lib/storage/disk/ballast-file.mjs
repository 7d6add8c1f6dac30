import { lstatSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {string} dataDir
 * @returns {string} the file that only takes room, see `Ballast`
 */
export function ballastFile(dataDir) {
  return join(dataDir, "ballast");
}

/**
 * @param {number} freeBytes of the file system
 * @param {number} ballastBytes
 * @returns {boolean} whether so little room is left that the ballast has to be removed
 */
export function mustReleaseBallast(freeBytes, ballastBytes) {
  return freeBytes < ballastBytes / 2;
}

/**
 * Removes the ballast of a data folder if its disk is full. It is called at a start, because PostgreSQL and other
 * programs could not write their files otherwise.
 *
 * @param {string} dataDir
 */
export function releaseBallast(dataDir) {
  const ballast = lstatSync(ballastFile(dataDir), { throwIfNoEntry: false });
  if (!ballast) return;
  const { bavail, bsize } = statfsSync(dataDir);
  if (mustReleaseBallast(bavail * bsize, ballast.size)) rmSync(ballastFile(dataDir));
}
