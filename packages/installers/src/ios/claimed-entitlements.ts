import type { Archive, ArchiveEntry } from "../archive/archive";
import { type FileRange, openEntry } from "../archive/entry-reader";
import { readPrefix } from "../archive/prefix";
import { viewOf } from "../encoding/bytes";
import { MAX_CODE_SIGNATURE_BYTES, MAX_EXECUTABLE_BYTES } from "../limits";
import { PlistError, parsePlistDictionary } from "../property-list/property-list";
import type { IpaInstaller } from "../types";
import { EXECUTABLE_PREFIX_BYTES, findCodeSignature, findSlice } from "./executable";
import { entitlementRecord } from "./provisioning-profile";

/** The magic numbers of a code signature (xnu, osfmk/kern/cs_blobs.h). */
const SUPER_BLOB = 0xfade0cc0;
const ENTITLEMENTS = 0xfade7171;
const ENTITLEMENTS_SLOT = 5;
const MAX_BLOBS = 64;

/**
 * The entitlements in the code signature of an executable.
 * @returns null if they are not known
 */
export async function entitlementsOfExecutable(
  archive: Archive,
  entry: ArchiveEntry,
): Promise<IpaInstaller["entitlements"] | null> {
  const { uncompressedSize: size } = entry;
  if (Math.max(size, entry.compressedSize) > MAX_EXECUTABLE_BYTES) return null;
  const prefix = await readPrefix(archive, entry, EXECUTABLE_PREFIX_BYTES);
  const slice = prefix && findSlice(prefix.bytes, size);
  if (!slice) return null;
  const signatureOf = (header: Uint8Array): FileRange | null => {
    const range = findCodeSignature(header);
    const isInside = range && range.offset + range.length <= slice.length && range.length <= MAX_CODE_SIGNATURE_BYTES;
    return isInside ? { offset: slice.offset + range.offset, length: range.length } : null;
  };
  const reader = await openEntry(archive, entry);
  if (!reader) return null;
  try {
    const header = await reader.read({ offset: slice.offset, length: Math.min(slice.length, EXECUTABLE_PREFIX_BYTES) });
    const range = header && signatureOf(header);
    const signature = range && (await reader.read(range));
    return signature && parseEntitlements(signature);
  } finally {
    await reader.close();
  }
}

/** The entitlements of a code signature; null if it has none, or they are damaged. */
function parseEntitlements(signature: Uint8Array): IpaInstaller["entitlements"] | null {
  const view = viewOf(signature);
  if (signature.length < 12 || view.getUint32(0) !== SUPER_BLOB) return null;
  const count = Math.min(view.getUint32(8), MAX_BLOBS, Math.floor((signature.length - 12) / 8));
  for (let index = 0; index < count; index += 1) {
    const offset = view.getUint32(12 + index * 8 + 4);
    if (view.getUint32(12 + index * 8) !== ENTITLEMENTS_SLOT || offset + 8 > signature.length) continue;
    const length = view.getUint32(offset + 4);
    if (view.getUint32(offset) !== ENTITLEMENTS || length < 8 || offset + length > signature.length) return null;
    try {
      return entitlementRecord(parsePlistDictionary(signature.subarray(offset + 8, offset + length)));
    } catch (error) {
      if (error instanceof PlistError) return null;
      throw error;
    }
  }
  // An app that is signed and has no such part claims nothing.
  return view.getUint32(8) === count ? {} : null;
}
