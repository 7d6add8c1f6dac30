import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Looks for programs in the folders of PATH. @returns true, or an error that names those that are missing */
export function findPrograms(...names: string[]): true | Error {
  const missing = names.filter((name) => !isInstalled(name));
  return missing.length === 0 || new Error(`not installed: ${missing.join(", ")}`);
}

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
