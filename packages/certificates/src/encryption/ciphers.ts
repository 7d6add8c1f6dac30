import "node-forge/lib/aes";
import "node-forge/lib/des";
import forgeCipher from "node-forge/lib/cipher";
import rc2 from "node-forge/lib/rc2";
import util from "node-forge/lib/util";
import type { Work } from "../work";

/** A block cipher in CBC mode. */
export interface CbcCipher {
  algorithm: "AES-CBC" | "3DES-CBC" | "DES-CBC" | "RC2-CBC";
  /** In bytes. */
  keyLength: number;
  /** In bytes; also that of the initialization vector. */
  blockLength: number;
}

export const aes = (bits: 128 | 192 | 256): CbcCipher => ({
  algorithm: "AES-CBC",
  keyLength: bits / 8,
  blockLength: 16,
});
export const TRIPLE_DES: CbcCipher = { algorithm: "3DES-CBC", keyLength: 24, blockLength: 8 };
export const TWO_KEY_TRIPLE_DES: CbcCipher = { algorithm: "3DES-CBC", keyLength: 16, blockLength: 8 };
export const DES: CbcCipher = { algorithm: "DES-CBC", keyLength: 8, blockLength: 8 };
export const rc2Cipher = (bits: number): CbcCipher => ({ algorithm: "RC2-CBC", keyLength: bits / 8, blockLength: 8 });

const CHUNK_BYTES = 8_192;

function toBinary(bytes: Uint8Array): string {
  let binary = "";
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(offset, offset + CHUNK_BYTES));
  }
  return binary;
}

/**
 * Decrypts, and removes the padding (PKCS#7).
 * @returns null if the key is wrong, or the data are damaged
 */
export function decryptCbc(
  { algorithm, blockLength }: CbcCipher,
  { key, iv, data }: { key: Uint8Array; iv: Uint8Array; data: Uint8Array },
  work: Work,
): Uint8Array | null {
  work.decrypt(data.length);
  if (data.length === 0 || data.length % blockLength !== 0 || iv.length !== blockLength) return null;
  const vector = toBinary(iv);
  const decipher = start(algorithm, toBinary(key), vector);
  decipher.update(util.createBuffer(toBinary(data)));
  decipher.finish(() => true);
  const padded = Uint8Array.from(decipher.output.getBytes(), (character) => character.charCodeAt(0));
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > blockLength) return null;
  if (!padded.subarray(-padding).every((byte) => byte === padding)) return null;
  return padded.subarray(0, padded.length - padding);
}

/** Decrypts RC4, a stream cipher that old PKCS#12 files have. With a wrong key, the result is other bytes. */
export function decryptRc4(key: Uint8Array, data: Uint8Array, work: Work): Uint8Array {
  work.decrypt(data.length);
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] as number, state[a] as number];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 0xff;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return data.map((byte) => {
    i = (i + 1) & 0xff;
    j = (j + (state[i] as number)) & 0xff;
    swap(i, j);
    return byte ^ (state[((state[i] as number) + (state[j] as number)) & 0xff] as number);
  });
}

function start(algorithm: CbcCipher["algorithm"], key: string, iv: string): ForgeDecipher {
  if (algorithm === "RC2-CBC") {
    const decipher = rc2.createDecryptionCipher(key, key.length * 8);
    decipher.start(iv);
    return decipher;
  }
  const decipher = forgeCipher.createDecipher(algorithm, key);
  decipher.start({ iv });
  return decipher;
}
