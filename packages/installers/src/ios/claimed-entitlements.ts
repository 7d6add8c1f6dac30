import type { Archive, ArchiveEntry } from "../archive/archive";
import { readPrefix } from "../archive/prefix";
import { concatBytes, viewOf } from "../encoding/bytes";
import { MAX_CODE_SIGNATURE_BYTES, MAX_EXECUTABLE_BYTES } from "../limits";
import { PlistError, parsePlistDictionary } from "../property-list/property-list";
import type { IpaInstaller } from "../types";
import { EXECUTABLE_PREFIX_BYTES, type FileRange, findCodeSignature, findSlice } from "./executable";
import { entitlementRecord } from "./provisioning-profile";

/** Bytes of the archive that are decompressed at once. */
const PIECE_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;

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
  const reader = new ForwardReader(pieces(archive, entry, prefix.dataOffset));
  const header = await reader.read({ offset: slice.offset, length: Math.min(slice.length, EXECUTABLE_PREFIX_BYTES) });
  const range = header && signatureOf(header);
  const signature = range && (await reader.read(range));
  return signature && parseEntitlements(signature);
}

/** The contents of an entry from its beginning, in pieces. It ends early if the entry is damaged. */
async function* pieces(archive: Archive, entry: ArchiveEntry, dataOffset: number): AsyncGenerator<Uint8Array> {
  async function* compressed() {
    for (let done = 0; done < entry.compressedSize; done += PIECE_BYTES) {
      yield await archive.readRange(dataOffset + done, Math.min(PIECE_BYTES, entry.compressedSize - done));
    }
  }
  if (entry.method === STORED) return yield* compressed();
  if (entry.method !== DEFLATED) return;
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const feed = async () => {
    for await (const piece of compressed()) await writer.write(new Uint8Array(piece));
    await writer.close();
  };
  // The reader fails on the same error.
  feed().catch((error) => writer.abort(error).catch(() => undefined));
  yield* stream.readable as unknown as AsyncIterable<Uint8Array>;
}

/** Takes ranges out of pieces that come one after the other. The ranges are asked for in their order, and may overlap. */
class ForwardReader {
  #kept: Uint8Array[] = [];
  /** The offset of the first kept byte. */
  #start = 0;
  #end = 0;

  constructor(private readonly pieces: AsyncGenerator<Uint8Array>) {}

  /** @returns null if the pieces end before */
  async read({ offset, length }: FileRange): Promise<Uint8Array | null> {
    if (offset < this.#start) return null;
    while (this.#end < offset + length) {
      const { done, value } = await this.pieces.next();
      if (done) return null;
      this.#kept.push(value);
      this.#end += value.length;
      this.#drop(offset);
    }
    this.#drop(offset);
    return concatBytes(this.#kept).slice(offset - this.#start, offset - this.#start + length);
  }

  /** Drops the pieces that end before an offset. */
  #drop(offset: number): void {
    for (let first = this.#kept[0]; first && this.#start + first.length <= offset; first = this.#kept[0]) {
      this.#kept.shift();
      this.#start += first.length;
    }
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
