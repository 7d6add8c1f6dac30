import "server-only";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Decrypter, Encrypter } from "age-encryption";
import { inPieces } from "./bytes";
import { BackupError } from "./errors";

// The age format (https://c2sp.org/age): the package writes and reads the headers, which hold the file's key for each
// recipient. The payload is encrypted here with OpenSSL, which is several times as fast as the package's JavaScript.

const CIPHER = "chacha20-poly1305";
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 16;
/** More than the header for a hundred recipients. */
const MAX_HEADER_BYTES = 256 * 1024;

/** The last line of a header: `---` and the MAC in base64. */
const HEADER_END = /\n--- [^\n]*\n/;

/** @throws Error if a recipient is not a public key of the age format */
async function newHeader(recipients: readonly string[]): Promise<{ header: Uint8Array; fileKey: Uint8Array }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  let fileKey: Uint8Array | undefined;
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = key.slice();
      return [];
    },
  });
  const file = await encrypter.encrypt(new Uint8Array());
  if (!fileKey) throw new Error("the age package gave no file key");
  return { header: file.subarray(0, file.length - NONCE_BYTES - TAG_BYTES), fileKey };
}

function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", fileKey, nonce, "payload", 32));
}

/** The nonce of a chunk: its number, big-endian, and whether it is the last one. */
function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** The bytes of an encrypted file without its header, for `size` bytes of content. */
function payloadSize(size: number): number {
  return NONCE_BYTES + size + TAG_BYTES * Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

/** Returns a function that tells how many bytes a file has after it is encrypted for these recipients. */
export async function encryptedSizeFor(recipients: readonly string[]): Promise<(size: number) => number> {
  const { header } = await newHeader(recipients);
  return (size) => header.length + payloadSize(size);
}

/** Encrypts bytes for recipients, public keys such as `age1…`. */
export async function* encrypt(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { header, fileKey } = await newHeader(recipients);
  const nonce = randomBytes(NONCE_BYTES);
  const key = payloadKey(fileKey, nonce);
  yield Buffer.concat([header, nonce]);
  let number = 0;
  for await (const { bytes, isLast } of inPieces(content, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, chunkNonce(number, isLast), { authTagLength: TAG_BYTES });
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

const damaged = (name: string) => new BackupError("damaged", `${name} is damaged: it was changed or cut short`);

/** Splits the header from the rest. */
async function readHeader(content: AsyncIterator<Uint8Array>, name: string) {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = HEADER_END.exec(read.toString("latin1"));
    if (end) {
      const length = end.index + end[0].length;
      return { header: read.subarray(0, length), rest: read.subarray(length) };
    }
    const { done, value } = await content.next();
    if (done || read.length > MAX_HEADER_BYTES) throw damaged(name);
    read = Buffer.concat([read, value]);
  }
}

async function openHeader(header: Uint8Array, identities: readonly string[], name: string): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decryptHeader(header);
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith("no identity matched")) {
      throw new BackupError("wrong_key", `${name} is encrypted for other keys than the given identity`, { cause });
    }
    throw new BackupError("damaged", `${name} is damaged: its header was changed or cut short`, { cause });
  }
}

/**
 * Decrypts a file with identities, secret keys such as `AGE-SECRET-KEY-1…`. No byte is returned before it is authenticated.
 * @param name of the file, for errors
 * @throws BackupError damaged or wrong_key
 */
export async function* decrypt(
  content: AsyncIterable<Uint8Array>,
  identities: readonly string[],
  name: string,
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    const { header, rest } = await readHeader(chunks, name);
    const fileKey = await openHeader(header, identities, name);
    const remaining = async function* () {
      yield rest;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    };
    let key: Buffer | undefined;
    let number = 0;
    for await (const { bytes, isLast } of inPieces(remaining(), CHUNK_BYTES + TAG_BYTES, NONCE_BYTES)) {
      if (!key) {
        if (bytes.length < NONCE_BYTES) throw damaged(name);
        key = payloadKey(fileKey, bytes);
        if (isLast) throw damaged(name);
        continue;
      }
      if (bytes.length < TAG_BYTES || (number > 0 && bytes.length === TAG_BYTES)) throw damaged(name);
      const decipher = createDecipheriv(CIPHER, key, chunkNonce(number, isLast), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const content = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES));
      try {
        decipher.final();
      } catch (cause) {
        throw new BackupError("damaged", damaged(name).message, { cause });
      }
      yield content;
      number += 1;
    }
  } finally {
    await chunks.return?.();
  }
}

/**
 * Reads the identities in a key file as `age-keygen` writes it: one per line, with comments.
 * @throws BackupError if it has none
 */
export function parseIdentities(text: string, name: string): string[] {
  const identities = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length === 0) {
    throw new BackupError(
      "wrong_key",
      `${name} has no identity: it must be a key file of "backup keygen" or age-keygen`,
    );
  }
  return identities;
}
