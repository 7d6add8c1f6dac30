import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, lstatSync, renameSync, type Stats, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "./context";
import { type Failure, fileFailure, usageFailure } from "./failure";
import { removeDraft } from "./private-file";

/** The options of commands that write a file. */
export interface OutputFlags {
  /** A file, a folder, or - for stdout. */
  output?: string;
  force: boolean;
}

function statOf(stat: (path: string) => Stats, path: string): Stats | null {
  try {
    return stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fileFailure(path, error) ?? error;
  }
}

function existsFailure(path: string): Failure {
  return usageFailure(`${path} exists already.`, "Write elsewhere with --output, or replace it with --force.");
}

/**
 * Where a command writes a file: into the folder that `output` names, or this one, under the file's own name, or to the file
 * that `output` names.
 * @param name of the file, made safe (`safeFileName`)
 * @returns null for stdout
 * @throws Failure if there is a file already and `force` is off, or something that is not a file
 */
export function outputPath({ folder }: Pick<Context, "folder">, { output, force }: OutputFlags, name: string) {
  if (output === "-") return null;
  const named = resolve(folder, output ?? ".");
  const isFolder =
    output === undefined || [sep, "/"].includes(output.at(-1) ?? "") || statOf(statSync, named)?.isDirectory();
  const path = isFolder ? join(named, name) : named;
  if (statOf(lstatSync, path) === null) return path;
  if (!force) throw existsFailure(path);
  if (!statOf(statSync, path)?.isFile()) throw usageFailure(`${path} is not a file and is not replaced.`);
  return path;
}

/** @throws Failure where the bytes of a file would be written to a terminal */
export function requirePipe({ out }: Pick<Context, "out">): void {
  if (out.isTTY)
    throw usageFailure(
      "The file is not shown in a terminal.",
      "Redirect stdout, or name a file or folder with --output.",
    );
}

/** Puts a draft in its place. @throws the error EEXIST if something is there and is not to be replaced */
function putInPlace(draft: string, path: string, force: boolean): void {
  if (force) {
    renameSync(draft, path);
    return;
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // A file system without hard links.
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  }
  removeDraft(draft);
}

/**
 * Writes a file in one step: a reader sees the old or the new content. An interrupted or failed write leaves nothing behind.
 * @param options.mode 0o600 for secrets
 * @param options.force replaces a file that is there
 * @throws Failure if it cannot be written, such as on a full disk, or if it is there
 */
export async function writeOutput(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode, force, signal }: { mode: number; force: boolean; signal?: AbortSignal },
): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  const source = typeof content === "string" || content instanceof Uint8Array ? Readable.from([content]) : content;
  try {
    // Opened first: a stream that opens the file itself could do so after the draft of a failed write is removed.
    await using file = await open(draft, "wx", mode);
    await pipeline(source, file.createWriteStream(), { signal });
    putInPlace(draft, path, force);
  } catch (error) {
    removeDraft(draft);
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw existsFailure(path);
    if (statOf(statSync, dirname(path)) === null) throw usageFailure(`The folder ${dirname(path)} does not exist.`);
    throw fileFailure(path, error) ?? error;
  }
}
