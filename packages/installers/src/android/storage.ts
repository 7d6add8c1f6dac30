import type { Archive, ArchiveEntry } from "../archive/archive";
import { findData } from "../archive/prefix";
import type { AndroidInstaller } from "../types";

const STORED = 0;
/** A device maps the resource table into memory if it is aligned to this ("Behavior changes: Android 11", resource files). */
const TABLE_ALIGNMENT = 4;
/** A device maps a library into memory if it is aligned to a page; the smallest pages have this size. */
const PAGE_BYTES = 4_096;
/** Libraries whose alignment is looked at. */
const MAX_LIBRARIES = 512;
/** The files below lib/ that an installation looks at. */
const LIBRARY_FILE = /\/lib[^/]*\.so$/;

/** Whether the data of an entry is at a multiple of some bytes; true where that cannot be read. */
async function isAligned(archive: Archive, entry: ArchiveEntry, bytes: number): Promise<boolean> {
  const offset = await findData(archive, entry);
  return offset === null || offset % bytes === 0;
}

/** How the resource table is stored; null if there is none. */
export async function resourceTableStorage(
  archive: Archive,
  path: string,
): Promise<NonNullable<AndroidInstaller["resourceTable"]> | null> {
  const entry = archive.entries.get(path);
  if (!entry) return null;
  if (entry.method !== STORED) return "compressed";
  return (await isAligned(archive, entry, TABLE_ALIGNMENT)) ? "aligned" : "unaligned";
}

/**
 * Those of the ABIs with a library that is compressed or not aligned to a page. A device that does not extract libraries refuses
 * them (NativeLibraryHelper.copyNativeBinaries).
 * @param library matches the names of libraries, with the ABI as its first group
 */
export async function unloadableAbis(archive: Archive, library: RegExp, abis: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  let looked = 0;
  for (const entry of archive.entries.values()) {
    const abi = library.exec(entry.name)?.[1];
    if (abi === undefined || found.has(abi) || !LIBRARY_FILE.test(entry.name)) continue;
    const isLoadable =
      entry.method === STORED && (looked++ >= MAX_LIBRARIES || (await isAligned(archive, entry, PAGE_BYTES)));
    if (!isLoadable) found.add(abi);
  }
  return abis.filter((abi) => found.has(abi));
}
