import { md5, sha1 } from "@noble/hashes/legacy.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concat } from "../encoding/asn1";
import { CertificateFileError } from "../errors";
import type { Work } from "../work";

const HASHES = { md5, sha1, sha224, sha256, sha384, sha512 } as const;
export type HashName = keyof typeof HASHES;

export function hashFunction(name: HashName) {
  return HASHES[name];
}

/** By the object identifiers of hash functions and of their HMACs. */
const HASH_OIDS: Readonly<Record<string, HashName>> = {
  "1.2.840.113549.2.5": "md5",
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.8": "sha224",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

export function unsupported(what: string): CertificateFileError {
  return new CertificateFileError("unsupported_encryption", `${what} is unknown`);
}

/** @throws CertificateFileError unsupported_encryption for another one */
export function hashByIdentifier(identifier: string): HashName {
  const name = HASH_OIDS[identifier];
  if (!name) throw unsupported(`the hash function ${identifier}`);
  return name;
}

/** The names in Web Crypto, which has no others. */
const WEB_CRYPTO_HASHES: Partial<Record<HashName, string>> = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

interface Derivation {
  hash: HashName;
  salt: Uint8Array;
  iterations: number;
  /** In bytes. */
  length: number;
}

/**
 * PBKDF2 (RFC 8018), in Web Crypto: off the thread, and several times as fast as JavaScript.
 * @throws CertificateFileError read_error, unsupported_encryption
 */
export async function pbkdf2(
  password: string,
  { hash, salt, iterations, length }: Derivation,
  work: Work,
): Promise<Uint8Array> {
  const name = WEB_CRYPTO_HASHES[hash];
  if (!name || length < 1 || length > 64) throw unsupported("the key derivation");
  work.deriveKey(iterations);
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: name, salt: Uint8Array.from(salt), iterations };
  return new Uint8Array(await subtle.deriveBits(parameters, key, length * 8));
}

/**
 * scrypt (RFC 7914). One round of its cost is about that of an iteration of the other functions in JavaScript, and takes 128 bytes.
 * @throws CertificateFileError read_error
 */
export async function deriveByScrypt(
  password: string,
  parameters: { salt: Uint8Array; cost: number; blockSize: number; parallelization: number; length: number },
  work: Work,
): Promise<Uint8Array> {
  const { salt, cost: N, blockSize: r, parallelization: p, length: dkLen } = parameters;
  work.deriveKey(N * r * p, { slow: true });
  return scryptAsync(new TextEncoder().encode(password), salt, { N, r, p, dkLen });
}

/** The IDs of the key derivation of PKCS#12. */
export const PKCS12_PURPOSE = { key: 1, iv: 2, mac: 3 } as const;

/** UTF-16BE with a terminator; a missing password has none (RFC 7292, B.1). */
function toBmpString(password: string | null): Uint8Array {
  if (password === null) return new Uint8Array();
  const bytes = new Uint8Array((password.length + 1) * 2);
  for (let index = 0; index < password.length; index++) {
    const unit = password.charCodeAt(index);
    bytes[index * 2] = unit >>> 8;
    bytes[index * 2 + 1] = unit & 0xff;
  }
  return bytes;
}

/** The bytes repeated to a multiple of a length. */
function repeatTo(bytes: Uint8Array, blockLength: number): Uint8Array {
  const repeated = new Uint8Array(Math.ceil(bytes.length / blockLength) * blockLength);
  for (let index = 0; index < repeated.length; index++) repeated[index] = bytes[index % bytes.length] as number;
  return repeated;
}

/**
 * The key derivation of PKCS#12 (RFC 7292, B.2).
 * @throws CertificateFileError read_error
 */
export function pkcs12Kdf(
  password: string | null,
  purpose: keyof typeof PKCS12_PURPOSE,
  { hash, salt, iterations, length }: Derivation,
  work: Work,
): Uint8Array {
  const digest = hashFunction(hash);
  const diversifier = new Uint8Array(digest.blockLen).fill(PKCS12_PURPOSE[purpose]);
  const input = concat([repeatTo(salt, digest.blockLen), repeatTo(toBmpString(password), digest.blockLen)]);
  const derived = new Uint8Array(length);
  for (let offset = 0; offset < length; offset += digest.outputLen) {
    work.deriveKey(iterations, { slow: true });
    let block = digest(concat([diversifier, input]));
    for (let round = 1; round < iterations; round++) block = digest(block);
    derived.set(block.subarray(0, length - offset), offset);
    addToBlocks(input, repeatTo(block, digest.blockLen).subarray(0, digest.blockLen));
  }
  return derived;
}

/** Adds `addend` + 1 to each block of the input, modulo the size of a block. */
function addToBlocks(input: Uint8Array, addend: Uint8Array): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1;
    for (let index = addend.length - 1; index >= 0; index--) {
      const sum = (input[start + index] as number) + (addend[index] as number) + carry;
      input[start + index] = sum & 0xff;
      carry = sum >>> 8;
    }
  }
}

/** PBKDF1 (RFC 8018): at most one hash long. */
export function pbkdf1(password: string, { hash, salt, iterations, length }: Derivation, work: Work): Uint8Array {
  work.deriveKey(iterations, { slow: true });
  const digest = hashFunction(hash);
  let block = digest(concat([new TextEncoder().encode(password), salt]));
  for (let round = 1; round < iterations; round++) block = digest(block);
  return block.subarray(0, length);
}

/** The key derivation of OpenSSL's encrypted PEM: MD5, one iteration. */
export function opensslKdf(password: string, { salt, length }: { salt: Uint8Array; length: number }): Uint8Array {
  const secret = concat([new TextEncoder().encode(password), salt]);
  let derived = new Uint8Array();
  let block = new Uint8Array();
  while (derived.length < length) {
    block = Uint8Array.from(md5(concat([block, secret])));
    derived = concat([derived, block]);
  }
  return derived.subarray(0, length);
}
