import type { Archive, ArchiveEntry } from "../archive/archive";
import { type FileRange, openEntry } from "../archive/entry-reader";
import { readPrefix } from "../archive/prefix";
import { viewOf } from "../encoding/bytes";
import { MAX_CODE_SIGNATURE_BYTES, MAX_EXECUTABLE_BYTES } from "../limits";
import { PlistError, parsePlistDictionary } from "../property-list/property-list";
import type { IpaInstaller } from "../types";
import { EXECUTABLE_PREFIX_BYTES, findCodeSignature, findSlice } from "./executable";
import { entitlementRecord } from "./provisioning-profile";
import { signerChain } from "./signer-chain";

/** The magic numbers of a code signature (xnu, osfmk/kern/cs_blobs.h). */
const SUPER_BLOB = 0xfade0cc0;
const ENTITLEMENTS = 0xfade7171;
const ENTITLEMENTS_SLOT = 5;
const CMS = 0xfade0b01;
const CMS_SLOT = 0x10000;
const MAX_BLOBS = 64;

/** What the code signature of an executable says. */
export interface CodeSignature {
  /** The entitlements that the app claims; null if they are not known. */
  claims: IpaInstaller["entitlements"] | null;
  /** The certificate that signed and those of its authorities, DER; empty if they are not known. See `signerChain`. */
  chain: Uint8Array[];
}

/**
 * Reads the code signature of an executable. It is not verified; the device that installs the app verifies it.
 * @returns null if it is not known
 */
export async function codeSignatureOfExecutable(archive: Archive, entry: ArchiveEntry): Promise<CodeSignature | null> {
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
    return signature && parseCodeSignature(signature);
  } finally {
    await reader.close();
  }
}

interface Blob {
  slot: number;
  magic: number;
  contents: Uint8Array;
}

/** The parts of a code signature. @returns null if one of them is not within it, or there are too many */
function blobsOf(signature: Uint8Array): Blob[] | null {
  const view = viewOf(signature);
  if (signature.length < 12 || view.getUint32(0) !== SUPER_BLOB) return null;
  const count = view.getUint32(8);
  if (count > MAX_BLOBS || 12 + count * 8 > signature.length) return null;
  const blobs: Blob[] = [];
  for (let index = 0; index < count; index += 1) {
    const offset = view.getUint32(12 + index * 8 + 4);
    if (offset + 8 > signature.length) return null;
    const length = view.getUint32(offset + 4);
    if (length < 8 || offset + length > signature.length) return null;
    const contents = signature.subarray(offset + 8, offset + length);
    blobs.push({ slot: view.getUint32(12 + index * 8), magic: view.getUint32(offset), contents });
  }
  return blobs;
}

function parseCodeSignature(signature: Uint8Array): CodeSignature | null {
  const blobs = blobsOf(signature);
  if (!blobs) return null;
  const cms = blobs.find(({ slot, magic }) => slot === CMS_SLOT && magic === CMS);
  return { claims: claimsOf(blobs), chain: cms ? signerChain(cms.contents) : [] };
}

/** The entitlements of a code signature; null if they are damaged. An app that is signed and has no such part claims nothing. */
function claimsOf(blobs: readonly Blob[]): IpaInstaller["entitlements"] | null {
  const blob = blobs.find(({ slot }) => slot === ENTITLEMENTS_SLOT);
  if (!blob) return {};
  if (blob.magic !== ENTITLEMENTS) return null;
  try {
    return entitlementRecord(parsePlistDictionary(blob.contents));
  } catch (error) {
    if (error instanceof PlistError) return null;
    throw error;
  }
}
