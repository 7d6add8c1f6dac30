import type { Archive } from "../archive/archive";
import { readPrefix } from "../archive/prefix";
import { startsWithAscii, viewOf } from "../encoding/bytes";

/** The page size of new devices, in bytes (developer.android.com, "Support 16 KB page sizes"). */
const PAGE_BYTES = 16_384;
/** 64-bit libraries that are looked at. */
const MAX_LIBRARIES = 64;
/** The header of an ELF file and its program headers, in bytes. */
const ELF_PREFIX_BYTES = 2_048;
const PT_LOAD = 1;
const STORED = 0;

/**
 * Whether the 64-bit libraries of an app are aligned to pages of 16 KB: their segments, and the libraries themselves where the
 * archive stores them without compression.
 * @param library matches the names of libraries, with the ABI as its first group
 * @returns null if it cannot be read, or there are too many libraries
 */
export async function isPageAligned(archive: Archive, library: RegExp): Promise<boolean | null> {
  const entries = [...archive.entries.values()].filter(({ name }) => /64/.test(library.exec(name)?.[1] ?? ""));
  if (entries.length > MAX_LIBRARIES) return null;
  let isKnown = true;
  for (const entry of entries) {
    const prefix = await readPrefix(archive, entry, ELF_PREFIX_BYTES);
    const aligned = prefix && segmentsAligned(prefix.bytes);
    if (prefix && aligned !== null && entry.method === STORED && prefix.dataOffset % PAGE_BYTES !== 0) return false;
    if (aligned === false) return false;
    if (aligned === null) isKnown = false;
  }
  return isKnown ? true : null;
}

/** Whether all loadable segments of a little-endian ELF64 file have an alignment of 16 KB; null if it is none. */
function segmentsAligned(bytes: Uint8Array): boolean | null {
  if (bytes.length < 64 || !startsWithAscii(bytes, "\x7fELF") || bytes[4] !== 2 || bytes[5] !== 1) return null;
  const view = viewOf(bytes);
  const offset = Number(view.getBigUint64(32, true));
  const size = view.getUint16(54, true);
  const count = view.getUint16(56, true);
  if (size < 56 || offset + size * count > bytes.length) return null;
  for (let index = 0; index < count; index += 1) {
    const header = offset + index * size;
    if (view.getUint32(header, true) !== PT_LOAD) continue;
    if (Number(view.getBigUint64(header + 48, true)) % PAGE_BYTES !== 0) return false;
  }
  return true;
}
