import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Context } from "./context";
import { fileFailure } from "./failure";

/**
 * Reads a text that the command line names.
 * @param file a path, or `-` for stdin, which is read to its end and can be read once
 * @throws Failure if the file cannot be read
 */
export async function readText({ folder, stdin }: Context, file: string): Promise<string> {
  try {
    return file === "-" ? await text(stdin) : await readFile(resolve(folder, file), "utf8");
  } catch (error) {
    throw fileFailure(file === "-" ? "stdin" : file, error) ?? error;
  }
}
