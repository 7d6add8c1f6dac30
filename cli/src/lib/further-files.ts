import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import {
  type Installer,
  ipaBinaries,
  matchSymbols,
  readDsyms,
  readMapping,
  type SymbolImage,
  SymbolsError,
} from "@slipway/installers";
import { openFileSource } from "@slipway/installers/node";
import type { OperationOutput } from "@/lib/client/operation-types";
import { safeFileName } from "@/lib/kernel/file-name";
import { errors as errorTexts } from "@/messages/en.json";
import type { Console } from "./console";
import type { Context } from "./context";
import { EXIT, Failure, fileFailure, interruptedFailure, usageFailure } from "./failure";
import { filledText } from "./filled-text";
import { fileSha256 } from "./installer";
import { fileToUpload, partTransport } from "./part-transport";
import { repeatCommand } from "./repeat-command";
import { sendFile } from "./send-file";
import { printable, size } from "./terminal";
import { timeLimit } from "./time-limit";
import { fingerprintOf, uploadMemory } from "./upload-memory";
import { dsymFolders, isFolder, zipFolders } from "./zip-folder";

/** The options that name symbols. */
export interface FurtherFileFlags {
  dsym?: readonly string[];
  mapping?: string;
  /** Other files. */
  file?: readonly string[];
}

/** A file that is added to a release, once its contents are checked. */
interface PreparedFile {
  path: string;
  kind: "dsym" | "mapping" | "other";
  name: string;
  /** Of an archive that was made of folders: its path and time are those of this run. */
  sha256?: string;
}

/** Files to add, and the folder with the archives that were made of them, which is removed when they are disposed of. */
export interface FurtherFiles extends AsyncDisposable {
  files: PreparedFile[];
}

type AddedFile = OperationOutput<"apps/create-release-file">;

/** How many programs without symbols a warning names. */
const NAMED_PROGRAMS = 5;

/** The English words for the refusal of symbols, as the console says them. */
function wordsOf({ reason, params }: SymbolsError): string {
  return filledText(errorTexts.invalid_symbols[reason], params);
}

async function readSymbols<Result>(path: string, read: (source: Parameters<typeof readDsyms>[0]) => Promise<Result>) {
  try {
    await using source = await openFileSource(path);
    return await read(source);
  } catch (error) {
    if (error instanceof SymbolsError) throw usageFailure(`${basename(path)}: ${wordsOf(error)}`);
    throw fileFailure(path, error) ?? error;
  }
}

/** The archive of a path: the .zip that it is, or one that is made of the .dSYM folders in it. */
async function archiveOf(path: string, temporary: string, index: number, signal: AbortSignal): Promise<PreparedFile> {
  try {
    if (!(await isFolder(path))) return { path, kind: "dsym", name: safeFileName(basename(path)) };
    const folders = await dsymFolders(path);
    if (folders.length === 0) throw usageFailure(`${path} is not a .dSYM folder and contains none.`);
    const archive = join(temporary, `${index}.zip`);
    await zipFolders(folders, archive, signal);
    const sha256 = await fileSha256(archive, signal);
    return { path: archive, kind: "dsym", name: safeFileName(`${basename(path)}.zip`), sha256 };
  } catch (error) {
    if (signal.aborted) throw interruptedFailure();
    // The file, where it is one of the folder.
    throw fileFailure((error as NodeJS.ErrnoException).path ?? path, error) ?? error;
  }
}

/** Warns of programs that have no symbols. @throws Failure if no symbol belongs to a program */
function compare(context: Context, binaries: readonly SymbolImage[], files: readonly [string, SymbolImage[]][]): void {
  for (const [name, images] of files) {
    if (matchSymbols(binaries, images).matched.length > 0) continue;
    const shown = (list: readonly SymbolImage[]) =>
      list.slice(0, NAMED_PROGRAMS).map((image) => `${image.uuid} (${image.architecture}, ${printable(image.name)})`);
    throw new Failure(EXIT.refused, `${name}: the symbols belong to another build. Nothing was sent.`, {
      hints: [`Symbols: ${shown(images).join(", ")}`, `Build: ${shown(binaries).join(", ") || "no UUIDs"}`],
    });
  }
  const all = files.flatMap(([, images]) => images);
  const { missing } = matchSymbols(binaries, all);
  if (missing.length === 0) return;
  const names = missing.slice(0, NAMED_PROGRAMS).map(({ name, uuid }) => `${printable(name)} (${uuid})`);
  const more = missing.length > NAMED_PROGRAMS ? `, and ${missing.length - NAMED_PROGRAMS} more` : "";
  context.err.say(
    `${context.err.paint("yellow", "Warning:")} ${missing.length} of ${binaries.length} programs have no symbols: ${names.join(", ")}${more}.`,
  );
}

/**
 * Reads the symbols that a command names before anything is sent: folders are compressed, and the UUIDs compared with those of the
 * installer.
 * @param build the installer that they belong to; null if only the console has it
 * @throws Failure if they cannot be read, or belong to another build
 */
export async function prepareFurtherFiles(
  context: Context,
  { dsym = [], mapping, file = [] }: FurtherFileFlags,
  build: { path: string; installer: Pick<Installer, "kind"> } | null,
): Promise<FurtherFiles> {
  const kind = build?.installer.kind;
  if (kind && kind !== "ipa" && dsym.length > 0) throw usageFailure(`--dsym is for an .ipa, not for an .${kind}.`);
  if (kind === "ipa" && mapping !== undefined) throw usageFailure("--mapping is for an .apk or .aab, not for an .ipa.");
  if (dsym.length === 0 && mapping === undefined && file.length === 0)
    return { files: [], async [Symbol.asyncDispose]() {} };
  const signal = context.holdInterrupts();
  const temporary = await mkdtemp(join(tmpdir(), "slipway-symbols-"));
  const dispose = () => rm(temporary, { recursive: true, force: true });
  try {
    const files: PreparedFile[] = [];
    const symbols: [string, SymbolImage[]][] = [];
    for (const [index, path] of dsym.entries()) {
      const archive = await archiveOf(resolve(context.folder, path), temporary, index, signal);
      symbols.push([archive.name, await readSymbols(archive.path, readDsyms)]);
      files.push(archive);
    }
    if (build && dsym.length > 0) compare(context, (await readBinaries(build.path)) ?? [], symbols);
    if (mapping !== undefined) {
      const path = resolve(context.folder, mapping);
      await readSymbols(path, readMapping);
      files.push({ path, kind: "mapping", name: safeFileName(basename(path)) });
    }
    for (const other of file) {
      const path = resolve(context.folder, other);
      if (await isFolder(path)) throw usageFailure(`${path} is a folder.`);
      files.push({ path, kind: "other", name: safeFileName(basename(path)) });
    }
    return { files, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error instanceof Failure ? error : (fileFailure(mapping ?? file[0] ?? "", error) ?? error);
  }
}

async function readBinaries(path: string): Promise<SymbolImage[] | null> {
  await using source = await openFileSource(path);
  return ipaBinaries(source);
}

/** Sends files and adds them to a release. @returns what the console has of them */
export async function addFurtherFiles(
  context: Context,
  console: Console,
  options: { releaseId: string; further: FurtherFiles; timeoutMs: number; interrupted: AbortSignal },
): Promise<AddedFile[]> {
  const { releaseId, further, timeoutMs, interrupted } = options;
  const added: AddedFile[] = [];
  for (const { path, kind, name, sha256 } of further.files) {
    const { size: bytes } = statSync(path);
    context.err.say(`${printable(name)}, ${size(bytes)}`);
    const limit = timeLimit(timeoutMs);
    const place = { console: console.url, environmentId: releaseId };
    const memory = uploadMemory(context, sha256 ?? fingerprintOf(path), place);
    const fileId = await sendFile(context, console, {
      path,
      file: fileToUpload(name, bytes),
      sha256: Promise.resolve(null),
      transport: partTransport(console, path, "attachment"),
      memory,
      limit,
      interrupted,
    });
    const input = { releaseId, fileId, kind, name };
    try {
      added.push(await repeatCommand(context, console, "apps/create-release-file", input, { limit, interrupted }));
    } catch (error) {
      if (interrupted.aborted)
        throw interruptedFailure("Interrupted. Run the same command again: it adds the same file once.");
      throw error;
    }
    memory.forget();
    context.err.say(`${context.err.paint("green", context.symbols.done)} Added ${printable(name)}.`);
  }
  return added;
}
