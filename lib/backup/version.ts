import "server-only";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The version in package.json, which is in the working directory of the server and of its commands. */
export async function consoleVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(process.cwd(), "package.json"), "utf8")) as { version: string };
  return version;
}
