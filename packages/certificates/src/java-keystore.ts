import { sha1 } from "@noble/hashes/legacy.js";
import { concatBytes } from "@noble/hashes/utils.js";
import type { Contents } from "./contents";
import { type Asn1, parseAsn1 } from "./encoding/asn1";
import { parseDecrypted } from "./encryption/password-based";
import { CertificateFileError } from "./errors";
import { MAX_CERTIFICATES } from "./limits";
import type { Work } from "./work";

const MAGIC = 0xfeedfeed;
const VERSION_1 = 1;
const VERSION_2 = 2;
const PRIVATE_KEY = 1;
const CERTIFICATE = 2;
/** Sun's protection of private keys, the only one of this format. */
const KEY_PROTECTOR = "1.3.6.1.4.1.42.2.17.1.1";
const DIGEST_BYTES = 20;
/** What Java hashes after the password, so that the digest is not that of the content alone. */
const WHITENER = new TextEncoder().encode("Mighty Aphrodite");
/** The longest private key. One of RSA with 16,384 bits has about 9,000 bytes. */
const MAX_KEY_BYTES = 65_536;

/** Whether a file is a keystore of Java in the format JKS. */
export function isJavaKeystore(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === MAGIC;
}

/** Reads the values of a keystore one after another. */
class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  take(length: number): Uint8Array {
    if (length < 0 || this.at + length > this.bytes.length) {
      throw new CertificateFileError("read_error", "the keystore ends within a value");
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  integer(): number {
    this.take(4);
    return this.view.getInt32(this.at - 4);
  }

  text(): string {
    this.take(2);
    return new TextDecoder().decode(this.take(this.view.getUint16(this.at - 2)));
  }

  get rest(): number {
    return this.bytes.length - this.at;
  }
}

/** A password as Java hashes it: two bytes of each UTF-16 code unit. */
function passwordBytes(password: string): Uint8Array {
  const bytes = new Uint8Array(password.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < password.length; index += 1) view.setUint16(index * 2, password.charCodeAt(index));
  return bytes;
}

const isEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Opens a protected key: a salt, the key combined with a chain of digests, and a digest of it. @returns null if the password does not fit */
function openKey(content: Uint8Array, password: string, work: Work): Asn1 | null {
  work.decrypt(content.length);
  const secret = passwordBytes(password);
  const encrypted = content.subarray(DIGEST_BYTES, -DIGEST_BYTES);
  const key = new Uint8Array(encrypted.length);
  let digest: Uint8Array = content.subarray(0, DIGEST_BYTES);
  for (let start = 0; start < encrypted.length; start += DIGEST_BYTES) {
    digest = sha1(concatBytes(secret, digest));
    for (const [index, byte] of encrypted.subarray(start, start + DIGEST_BYTES).entries()) {
      key[start + index] = byte ^ (digest[index] as number);
    }
  }
  if (!isEqual(sha1(concatBytes(secret, key)), content.subarray(-DIGEST_BYTES))) return null;
  return parseDecrypted(key, work);
}

function readKey(reader: Reader, alias: string, contents: Contents): void {
  const length = reader.integer();
  if (length > MAX_KEY_BYTES) throw new CertificateFileError("read_error", "the private key is too long");
  if (contents.keys.length === MAX_CERTIFICATES) throw new CertificateFileError("read_error", "too many private keys");
  const protectedKey = parseAsn1(reader.take(length), contents.work);
  const algorithm = protectedKey.child(0).child(0).objectIdentifier;
  const content = protectedKey.child(1).octets;
  if (algorithm !== KEY_PROTECTOR || content.length <= 2 * DIGEST_BYTES) {
    throw new CertificateFileError("read_error", `the protection ${algorithm} is unknown`);
  }
  contents.hasPrivateKey = true;
  const passwords = [contents.password, contents.keyPassword].filter((one) => one !== undefined);
  for (const password of passwords) {
    const key = openKey(content, password, contents.work);
    if (!key) continue;
    contents.addPrivateKey(key);
    contents.addKeyName(alias, true);
    return;
  }
  // The digest of the file proves its own password, so that the key has another one.
  contents.locked = true;
  contents.addKeyName(alias, false);
}

function readCertificate(reader: Reader, version: number, contents: Contents): void {
  const type = version === VERSION_2 ? reader.text() : "X.509";
  const content = reader.take(reader.integer());
  if (type === "X.509") contents.addCertificate(parseAsn1(content, contents.work));
}

/**
 * Adds what a keystore of Java in the format JKS has. Its certificates can be read without the password.
 * @see sun.security.provider.JavaKeyStore and KeyProtector of OpenJDK
 * @throws CertificateFileError
 */
export function readJavaKeystore(bytes: Uint8Array, contents: Contents): void {
  if (bytes.length < 12 + DIGEST_BYTES) throw new CertificateFileError("read_error", "the keystore is cut off");
  const content = bytes.subarray(0, -DIGEST_BYTES);
  const reader = new Reader(content);
  reader.integer();
  const version = reader.integer();
  if (version !== VERSION_1 && version !== VERSION_2) {
    throw new CertificateFileError("read_error", `the version ${version} is unknown`);
  }
  for (let entries = reader.integer(); entries > 0; entries -= 1) {
    const kind = reader.integer();
    const alias = reader.text();
    // When it was added.
    reader.take(8);
    if (kind === PRIVATE_KEY) {
      readKey(reader, alias, contents);
      for (let chain = reader.integer(); chain > 0; chain -= 1) readCertificate(reader, version, contents);
    } else if (kind === CERTIFICATE) readCertificate(reader, version, contents);
    else throw new CertificateFileError("read_error", `an entry of the kind ${kind} is unknown`);
  }
  if (reader.rest > 0) throw new CertificateFileError("read_error", "more follows the last entry");
  if (contents.password === undefined) return;
  // Last: a file that was cut off has no digest that a password fits, and the password is not what is wrong with it.
  const digest = sha1(concatBytes(passwordBytes(contents.password), WHITENER, content));
  if (!isEqual(digest, bytes.subarray(-DIGEST_BYTES))) throw new CertificateFileError("wrong_password");
}
