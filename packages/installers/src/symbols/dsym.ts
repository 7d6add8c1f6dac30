import { type Archive, type ArchiveEntry, openArchive } from "../archive/archive";
import { BudgetError, type InflateBudget, openEntry } from "../archive/entry-reader";
import { plainText } from "../encoding/text";
import { InstallerError } from "../errors";
import { DSYM_FILE_TYPE, MachOError, readMachImages } from "../ios/mach-o";
import { MAX_ENTRIES, MAX_SYMBOL_FILES, MAX_SYMBOL_IMAGES, MAX_SYMBOLS_INFLATED_BYTES } from "../limits";
import type { ByteSource } from "../source";
import { SymbolsError } from "./errors";
import type { SymbolImage } from "./types";

/** A file with symbols in a dSYM bundle, at any depth of the archive. */
const DWARF_FILE = /(?:^|\/)Contents\/Resources\/DWARF\/([^/]+)$/;
/** What the Finder adds to archives. */
const FINDER_FOLDER = "__MACOSX/";

const FLAG_ENCRYPTED = 0x0001;

/**
 * Reads the UUIDs of a ZIP archive of dSYM bundles: one bundle, several, their contents, or an Xcode archive. Only the headers
 * are read; a compressed file is decompressed up to its last slice.
 * @returns the images in the order of the archive, each UUID once
 * @throws SymbolsError; the errors of the source
 */
export async function readDsyms(source: ByteSource): Promise<SymbolImage[]> {
  const archive = await openDsymArchive(source);
  const files = [...archive.entries.values()].filter(
    ({ name, isDirectory }) => !isDirectory && !name.startsWith(FINDER_FOLDER) && DWARF_FILE.test(name),
  );
  if (files.length > MAX_SYMBOL_FILES) throw new SymbolsError("archive_too_many_entries", { limit: MAX_SYMBOL_FILES });
  const budget: InflateBudget = { bytesLeft: MAX_SYMBOLS_INFLATED_BYTES };
  const images = new Map<string, SymbolImage>();
  for (const file of files) {
    for (const image of await readSymbolFile(archive, file, budget)) {
      if (!images.has(image.uuid)) images.set(image.uuid, image);
    }
  }
  if (images.size > MAX_SYMBOL_IMAGES) {
    throw new SymbolsError("archive_too_many_entries", { limit: MAX_SYMBOL_IMAGES });
  }
  if (images.size === 0) throw new SymbolsError("dsym_missing");
  return [...images.values()];
}

async function openDsymArchive(source: ByteSource): Promise<Archive> {
  if (source.size === 0) throw new SymbolsError("file_empty");
  try {
    return await openArchive(source);
  } catch (error) {
    if (!(error instanceof InstallerError)) throw error;
    const { name } = error.params;
    switch (error.reason) {
      case "archive_too_many_entries":
      case "archive_directory_too_large":
        throw new SymbolsError("archive_too_many_entries", { limit: MAX_ENTRIES });
      case "archive_overlapping_entries":
      case "entry_duplicate":
      case "entry_unsafe_name":
      case "entry_symlink":
        throw new SymbolsError("archive_unsafe", { name: name ?? "" });
      default:
        throw new SymbolsError("archive_unreadable");
    }
  }
}

async function readSymbolFile(archive: Archive, entry: ArchiveEntry, budget: InflateBudget): Promise<SymbolImage[]> {
  const { name } = entry;
  if ((entry.flags & FLAG_ENCRYPTED) !== 0) throw new SymbolsError("archive_encrypted", { name });
  const reader = await openEntry(archive, entry, budget);
  if (!reader) throw new SymbolsError("dsym_damaged", { name });
  try {
    const images = (await readMachImages(reader)) ?? [];
    const file = plainText(DWARF_FILE.exec(name)?.[1] ?? name);
    return images.flatMap(({ uuid, architecture, fileType }) =>
      uuid !== null && fileType === DSYM_FILE_TYPE ? [{ uuid, architecture, name: file }] : [],
    );
  } catch (error) {
    if (error instanceof MachOError || (error instanceof InstallerError && error.reason === "archive_damaged")) {
      throw new SymbolsError("dsym_damaged", { name });
    }
    if (error instanceof BudgetError) {
      throw new SymbolsError("dsym_too_large", { limitMb: MAX_SYMBOLS_INFLATED_BYTES / 2 ** 20 });
    }
    throw error;
  } finally {
    await reader.close();
  }
}
