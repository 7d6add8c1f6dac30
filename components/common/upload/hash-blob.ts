import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Bytes that are read at a time. The browser's own SHA-256 requires the file in one piece. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * The SHA-256 (FIPS 180-4) of a file of any size, with little memory.
 *
 * @returns lower-case hex
 * @throws DOMException (NotReadableError) if the file cannot be read
 */
export async function hashBlob(blob: Blob): Promise<string> {
  const hash = sha256.create();
  for (let offset = 0; offset < blob.size; offset += CHUNK_BYTES) {
    hash.update(new Uint8Array(await blob.slice(offset, offset + CHUNK_BYTES).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
