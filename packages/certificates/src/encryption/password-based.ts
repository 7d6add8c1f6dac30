import { type Asn1, parseAsn1 } from "../encoding/asn1";
import { CertificateFileError } from "../errors";
import type { Work } from "../work";
import { aes, type CbcCipher, DES, decryptCbc, decryptRc4, rc2Cipher, TRIPLE_DES, TWO_KEY_TRIPLE_DES } from "./ciphers";
import {
  deriveByScrypt,
  type HashName,
  hashByIdentifier,
  opensslKdf,
  pbkdf1,
  pbkdf2,
  pkcs12Kdf,
  unsupported,
} from "./key-derivation";

const PBES2 = "1.2.840.113549.1.5.13";
const PBKDF2 = "1.2.840.113549.1.5.12";
const SCRYPT = "1.3.6.1.4.1.11591.4.11";

/** PBES1 (RFC 8018, A.3): the key and the initialization vector are 8 bytes each of PBKDF1. */
const PBES1: Readonly<Record<string, { hash: HashName; cipher: CbcCipher }>> = {
  "1.2.840.113549.1.5.3": { hash: "md5", cipher: DES },
  "1.2.840.113549.1.5.6": { hash: "md5", cipher: rc2Cipher(64) },
  "1.2.840.113549.1.5.10": { hash: "sha1", cipher: DES },
  "1.2.840.113549.1.5.11": { hash: "sha1", cipher: rc2Cipher(64) },
};

/** RFC 7292, appendix C, all with SHA-1. */
const PKCS12: Readonly<Record<string, CbcCipher>> = {
  "1.2.840.113549.1.12.1.3": TRIPLE_DES,
  "1.2.840.113549.1.12.1.4": TWO_KEY_TRIPLE_DES,
  "1.2.840.113549.1.12.1.5": rc2Cipher(128),
  "1.2.840.113549.1.12.1.6": rc2Cipher(40),
};

/** Those of RFC 7292 with the stream cipher RC4: the length of its key in bytes. */
const PKCS12_RC4: Readonly<Record<string, number>> = {
  "1.2.840.113549.1.12.1.1": 16,
  "1.2.840.113549.1.12.1.2": 5,
};

/** The ciphers of PBES2, by their object identifiers. */
const CIPHERS: Readonly<Record<string, CbcCipher>> = {
  "2.16.840.1.101.3.4.1.2": aes(128),
  "2.16.840.1.101.3.4.1.22": aes(192),
  "2.16.840.1.101.3.4.1.42": aes(256),
  "1.2.840.113549.3.7": TRIPLE_DES,
  "1.3.14.3.2.7": DES,
};

/** The ciphers of OpenSSL's encrypted PEM, by the `DEK-Info` header. */
const PEM_CIPHERS: Readonly<Record<string, CbcCipher>> = {
  "AES-128-CBC": aes(128),
  "AES-192-CBC": aes(192),
  "AES-256-CBC": aes(256),
  "DES-EDE3-CBC": TRIPLE_DES,
  "DES-CBC": DES,
};

/** A key of PBKDF2, by its parameters (RFC 8018, A.2). */
export function deriveByPbkdf2(derivation: Asn1, password: string, length: number, work: Work): Promise<Uint8Array> {
  const algorithm = derivation.child(0).objectIdentifier;
  if (algorithm !== PBKDF2) throw unsupported(`the key derivation ${algorithm}`);
  const [salt, iterations, ...optional] = derivation.child(1).children;
  const prf = optional.find((one) => one.isSequence);
  const hash = prf ? hashByIdentifier(prf.child(0).objectIdentifier) : "sha1";
  return pbkdf2(
    password,
    { hash, salt: salt?.octets ?? new Uint8Array(), iterations: iterations?.integer ?? 0, length },
    work,
  );
}

/** A key of scrypt, by its parameters (RFC 7914, section 7). */
async function scryptKey(derivation: Asn1, password: string, length: number, work: Work): Promise<Uint8Array> {
  const [salt, cost, blockSize, parallelization] = derivation.child(1).children;
  return deriveByScrypt(
    password,
    {
      salt: salt?.octets ?? new Uint8Array(),
      cost: cost?.integer ?? 0,
      blockSize: blockSize?.integer ?? 0,
      parallelization: parallelization?.integer ?? 0,
      length,
    },
    work,
  );
}

/**
 * Decrypts what was encrypted by a password: PBES1, PBES2 (RFC 8018) and the schemes of PKCS#12 (RFC 7292).
 * @param algorithm an AlgorithmIdentifier
 * @param password null for a missing one, which differs from an empty one in the schemes of PKCS#12
 * @returns null if the password is wrong
 * @throws CertificateFileError unsupported_encryption for an unknown algorithm
 */
export async function decryptByPassword(
  algorithm: Asn1,
  data: Uint8Array,
  password: string | null,
  work: Work,
): Promise<Uint8Array | null> {
  const scheme = algorithm.child(0).objectIdentifier;
  const parameters = algorithm.child(1);
  if (scheme === PBES2) {
    const [derivation, encryption] = [parameters.child(0), parameters.child(1)];
    const cipher = CIPHERS[encryption.child(0).objectIdentifier];
    if (!cipher) throw unsupported(`the cipher ${encryption.child(0).objectIdentifier}`);
    const derive = derivation.child(0).objectIdentifier === SCRYPT ? scryptKey : deriveByPbkdf2;
    const key = await derive(derivation, password ?? "", cipher.keyLength, work);
    return decryptCbc(cipher, { key, iv: encryption.child(1).octets, data }, work);
  }
  const [salt, iterations] = [parameters.child(0).octets, parameters.child(1).integer];
  const pbes1 = PBES1[scheme];
  if (pbes1) {
    const derived = pbkdf1(password ?? "", { hash: pbes1.hash, salt, iterations, length: 16 }, work);
    return decryptCbc(pbes1.cipher, { key: derived.subarray(0, 8), iv: derived.subarray(8), data }, work);
  }
  const derive = (purpose: "key" | "iv", length: number) =>
    pkcs12Kdf(password, purpose, { hash: "sha1", salt, iterations, length }, work);
  const rc4KeyLength = PKCS12_RC4[scheme];
  if (rc4KeyLength !== undefined) return decryptRc4(derive("key", rc4KeyLength), data, work);
  const cipher = PKCS12[scheme];
  if (!cipher) throw unsupported(`the encryption ${scheme}`);
  return decryptCbc(
    cipher,
    { key: expandKey(cipher, derive("key", cipher.keyLength)), iv: derive("iv", cipher.blockLength), data },
    work,
  );
}

/** Two-key Triple DES is Triple DES whose third key is the first. */
function expandKey(cipher: CbcCipher, key: Uint8Array): Uint8Array {
  if (cipher !== TWO_KEY_TRIPLE_DES) return key;
  return Uint8Array.from([...key, ...key.subarray(0, 8)]);
}

/**
 * Decrypts a key in OpenSSL's encrypted PEM (`Proc-Type: 4,ENCRYPTED`).
 * @param info the `DEK-Info` header
 * @returns null if the password is wrong
 * @throws CertificateFileError unsupported_encryption for an unknown cipher
 */
export function decryptPem(info: string, data: Uint8Array, password: string, work: Work): Uint8Array | null {
  const [name = "", vector = ""] = info.split(",").map((part) => part.trim());
  const cipher = PEM_CIPHERS[name.toUpperCase()];
  if (!cipher || !/^([0-9a-f]{2}){8,16}$/i.test(vector)) throw unsupported(`the encryption ${name.slice(0, 40)}`);
  const iv = Uint8Array.from(vector.match(/../g) as string[], (digits) => Number.parseInt(digits, 16));
  const key = opensslKdf(password, { salt: iv.subarray(0, 8), length: cipher.keyLength });
  return decryptCbc(cipher, { key, iv, data }, work);
}

/**
 * Decrypts and parses.
 * @returns null if the password is wrong: a wrong one leaves a valid padding in one of 256 cases, but no ASN.1
 */
export function parseDecrypted(bytes: Uint8Array | null, work: Work): Asn1 | null {
  if (!bytes) return null;
  try {
    const value = parseAsn1(bytes, work);
    return value.isSequence ? value : null;
  } catch (error) {
    if (error instanceof CertificateFileError) return null;
    throw error;
  }
}
