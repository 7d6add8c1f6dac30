import { type Archive, type ArchiveEntry, openArchive } from "../archive/archive";
import { BudgetError, type InflateBudget, openEntry } from "../archive/entry-reader";
import { plainText } from "../encoding/text";
import { InstallerError } from "../errors";
import { withTimeout } from "../inspect";
import { findAppFolder, isIpa, readInfo } from "../ios/ipa";
import { MachOError, readMachImages } from "../ios/mach-o";
import { MAX_BINARIES, MAX_PLIST_BYTES, MAX_SYMBOL_IMAGES, MAX_SYMBOLS_INFLATED_BYTES } from "../limits";
import { PlistError, parsePlistDictionary, textOf } from "../property-list/property-list";
import type { ByteSource } from "../source";
import type { SymbolImage } from "./types";

/** A bundle with a program of its own in the folder of an app: a framework, an extension, an app for the watch. */
const NESTED_BUNDLE = /^(?:.*\/)?([^/]+)\.(?:framework|appex|app)\/[^/]+$/;
const LIBRARY = /\.dylib$/;
/** The libraries of Swift are Apple's, and have symbols on the device. */
const SWIFT_LIBRARY = /(?:^|\/)libswift[^/]*\.dylib$/;

/**
 * Reads which programs an `.ipa` contains that may crash: its executable, frameworks, libraries, extensions and watch apps, each
 * slice with its UUID. Only headers are read.
 * @returns null for another kind of installer; programs that are damaged or have no UUID are left out
 * @throws InstallerError if the archive is refused; the errors of the source
 */
export function ipaBinaries(
  source: ByteSource,
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<SymbolImage[] | null> {
  return withTimeout(options, async (signal) => {
    const archive = await openArchive(source, { signal });
    return isIpa(archive) ? readBinaries(archive) : null;
  });
}

async function readBinaries(archive: Archive): Promise<SymbolImage[]> {
  const folder = findAppFolder(archive);
  const budget: InflateBudget = { bytesLeft: MAX_SYMBOLS_INFLATED_BYTES };
  const images = new Map<string, SymbolImage>();
  for (const entry of await programsOf(archive, folder)) {
    const name = plainText(entry.name.slice(folder.length));
    for (const { uuid, architecture } of await imagesOf(archive, entry, budget)) {
      if (uuid !== null && !images.has(uuid)) images.set(uuid, { uuid, architecture, name });
    }
  }
  return [...images.values()].slice(0, MAX_SYMBOL_IMAGES);
}

async function imagesOf(archive: Archive, entry: ArchiveEntry, budget: InflateBudget) {
  const reader = await openEntry(archive, entry, budget);
  try {
    return (reader && (await readMachImages(reader))) ?? [];
  } catch (error) {
    const isDamaged = error instanceof InstallerError && error.reason === "archive_damaged";
    if (error instanceof MachOError || error instanceof BudgetError || isDamaged) return [];
    throw error;
  } finally {
    await reader?.close();
  }
}

/** The entries of programs, that of the app first. */
async function programsOf(archive: Archive, folder: string): Promise<ArchiveEntry[]> {
  const programs = new Set<ArchiveEntry>();
  const add = (name: string | null) => {
    const entry = name === null ? undefined : archive.entries.get(name);
    if (entry && !entry.isDirectory && programs.size < MAX_BINARIES) programs.add(entry);
  };
  const main = textOf(await readInfo(archive, folder), "CFBundleExecutable");
  add(main && folder + main);
  const bundles = new Set<string>();
  for (const { name } of archive.entries.values()) {
    if (!name.startsWith(folder)) continue;
    const path = name.slice(folder.length);
    if (LIBRARY.test(path) && !SWIFT_LIBRARY.test(path)) add(name);
    else if (NESTED_BUNDLE.test(path)) bundles.add(name.slice(0, name.lastIndexOf("/") + 1));
  }
  for (const bundle of [...bundles].slice(0, MAX_BINARIES)) add(await programOfBundle(archive, bundle));
  return [...programs];
}

/** The path of the program of a bundle: usually it is named like the bundle, otherwise Info.plist names it. */
async function programOfBundle(archive: Archive, bundle: string): Promise<string | null> {
  const stem = bundle.slice(bundle.lastIndexOf("/", bundle.length - 2) + 1, bundle.lastIndexOf("."));
  if (archive.entries.has(bundle + stem)) return bundle + stem;
  const info = archive.entries.get(`${bundle}Info.plist`);
  if (!info) return null;
  try {
    const name = textOf(parsePlistDictionary(await archive.read(info, MAX_PLIST_BYTES)), "CFBundleExecutable");
    return name === null ? null : bundle + name;
  } catch (error) {
    if (error instanceof PlistError || error instanceof InstallerError) return null;
    throw error;
  }
}
