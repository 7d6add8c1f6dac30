import { viewOf } from "../encoding/bytes";
import { InflateError, inflateByStream } from "../encoding/inflate";
import type { Archive, ArchiveEntry } from "./archive";

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_SIZE = 30;
const STORED = 0;
/** The names and extra fields of most local headers are read together with the data up to this length. */
const HEADER_ROOM_BYTES = 512;
/** The decompressor gives its output in pieces; more than this is not a prefix. */
const MAX_PIECE_BYTES = 1024 * 1024;

/** The beginning of an entry. */
export interface EntryPrefix {
  bytes: Uint8Array;
  /** The offset of the entry's data in the file, in bytes. */
  dataOffset: number;
}

/**
 * Where the data of an entry begins in the file, in bytes.
 * @returns null if the entry is damaged or encrypted
 */
export async function findData(archive: Archive, entry: ArchiveEntry): Promise<number | null> {
  if ((entry.flags & 1) !== 0) return null;
  const start = entry.localHeaderOffset;
  const header = viewOf(await archive.readRange(start, LOCAL_HEADER_SIZE));
  if (header.getUint32(0, true) !== LOCAL_HEADER) return null;
  const dataOffset = start + LOCAL_HEADER_SIZE + header.getUint16(26, true) + header.getUint16(28, true);
  return dataOffset + entry.compressedSize > archive.centralDirectoryOffset ? null : dataOffset;
}

/**
 * The first bytes of an entry, without reading the rest; they are not checked against its CRC-32.
 * @param length bytes; fewer are given where the entry is shorter
 * @returns null if the entry is damaged or encrypted
 */
export async function readPrefix(archive: Archive, entry: ArchiveEntry, length: number): Promise<EntryPrefix | null> {
  if ((entry.flags & 1) !== 0) return null;
  const start = entry.localHeaderOffset;
  const limit = archive.centralDirectoryOffset;
  const first = await archive.readRange(start, Math.min(limit - start, HEADER_ROOM_BYTES + length));
  if (first.length < LOCAL_HEADER_SIZE) return null;
  const header = viewOf(first);
  if (header.getUint32(0, true) !== LOCAL_HEADER) return null;
  const headerBytes = LOCAL_HEADER_SIZE + header.getUint16(26, true) + header.getUint16(28, true);
  const dataOffset = start + headerBytes;
  const wanted = Math.min(length, entry.compressedSize);
  if (dataOffset + wanted > limit) return null;
  const data =
    headerBytes + wanted <= first.length
      ? first.subarray(headerBytes, headerBytes + wanted)
      : await archive.readRange(dataOffset, wanted);
  if (entry.method === STORED) return { bytes: data, dataOffset };
  const enough = Math.min(length, entry.uncompressedSize);
  try {
    const bytes = await inflateByStream(data, "deflate-raw", { maxBytes: MAX_PIECE_BYTES, enough });
    return { bytes: bytes.subarray(0, length), dataOffset };
  } catch (error) {
    if (error instanceof InflateError) return null;
    throw error;
  }
}
