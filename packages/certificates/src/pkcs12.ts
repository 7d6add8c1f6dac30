import { hmac } from "@noble/hashes/hmac.js";
import type { Contents } from "./contents";
import { type Asn1, parseAsn1 } from "./encoding/asn1";
import { hashByIdentifier, hashFunction, pkcs12Kdf } from "./encryption/key-derivation";
import { decryptByPassword, deriveByPbkdf2, parseDecrypted } from "./encryption/password-based";
import { CertificateFileError } from "./errors";
import type { Work } from "./work";

const DATA = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA = "1.2.840.113549.1.7.6";
const PBMAC1 = "1.2.840.113549.1.5.14";
const BAG = "1.2.840.113549.1.12.10.1";
const FRIENDLY_NAME = "1.2.840.113549.1.9.20";
const X509_CERTIFICATE = "1.2.840.113549.1.9.22.1";

/** The octets in a ContentInfo of type data. */
function dataOf(contentInfo: Asn1): Uint8Array {
  const type = contentInfo.child(0).objectIdentifier;
  if (type !== DATA) throw new CertificateFileError("read_error", `the content type ${type} is unknown`);
  return contentInfo.child(1).child(0).octets;
}

/**
 * The MAC of a file with more iterations is not tried with the missing password, after the empty one: programs that write it
 * use few.
 */
const MAX_ITERATIONS_WITHOUT_PASSWORD = 100_000;

async function macKey(digestInfo: Asn1, macData: Asn1, password: string | null, work: Work) {
  const algorithm = digestInfo.child(0);
  const identifier = algorithm.child(0).objectIdentifier;
  if (identifier === PBMAC1) {
    const [derivation, scheme] = [algorithm.child(1).child(0), algorithm.child(1).child(1)];
    const hash = hashByIdentifier(scheme.child(0).objectIdentifier);
    const length = derivation.child(1).children[2];
    const keyLength = length?.isInteger ? length.integer : hashFunction(hash).outputLen;
    return { hash, key: await deriveByPbkdf2(derivation, password ?? "", keyLength, work) };
  }
  const hash = hashByIdentifier(identifier);
  const salt = macData.child(1).octets;
  const iterations = macData.children[2]?.integer ?? 1;
  const length = hashFunction(hash).outputLen;
  return { hash, key: pkcs12Kdf(password, "mac", { hash, salt, iterations, length }, work) };
}

async function passwordFits(macData: Asn1, data: Uint8Array, password: string | null, work: Work): Promise<boolean> {
  const digestInfo = macData.child(0);
  const { hash, key } = await macKey(digestInfo, macData, password, work);
  const mac = hmac(hashFunction(hash), key, data);
  const expected = digestInfo.child(1).octets;
  return expected.length === mac.length && expected.every((byte, index) => byte === mac[index]);
}

/**
 * Adds what a PFX (PKCS#12, RFC 7292) has. Without a password, the empty and the missing one are tried.
 * @throws CertificateFileError
 */
export async function readPkcs12(pfx: Asn1, contents: Contents): Promise<void> {
  const { work } = contents;
  const data = dataOf(pfx.child(1));
  const macData = pfx.children[2];
  let passwords: (string | null)[] = contents.password ? [contents.password] : ["", null];
  if (macData) {
    const fitting: (string | null)[] = [];
    const isCostly = (macData.children[2]?.integer ?? 1) > MAX_ITERATIONS_WITHOUT_PASSWORD;
    for (const password of isCostly ? passwords.slice(0, 1) : passwords) {
      if (!(await passwordFits(macData, data, password, work))) continue;
      fitting.push(password);
      break;
    }
    passwords = fitting;
  }
  const opening = { passwords, fits: macData !== undefined && passwords.length > 0 };
  for (const part of parseAsn1(data, work).children) {
    if (part.child(0).objectIdentifier !== ENCRYPTED_DATA) {
      await readBags(parseAsn1(dataOf(part), work), contents, opening);
      continue;
    }
    const bags = await decryptBags(part.child(1).child(0), passwords, work);
    if (bags) await readBags(bags, contents, opening);
    else contents.lock();
  }
  if (passwords.length === 0) contents.lock();
}

/** @returns null if no password fits */
async function decryptBags(encryptedData: Asn1, passwords: (string | null)[], work: Work): Promise<Asn1 | null> {
  const contentInfo = encryptedData.child(1);
  const encrypted = contentInfo.children[2];
  for (const password of encrypted ? passwords : []) {
    const bytes = await decryptByPassword(contentInfo.child(1), (encrypted as Asn1).octets, password, work);
    const bags = parseDecrypted(bytes, work);
    if (bags) return bags;
  }
  return null;
}

/** The `friendlyName` of a bag (RFC 2985), which Java calls alias. */
function nameOf(bag: Asn1): string | undefined {
  const attribute = bag.children[2]?.children.find((one) => one.child(0).objectIdentifier === FRIENDLY_NAME);
  return attribute?.child(1).child(0).bmpText;
}

/** The passwords of a file, and whether its MAC proves that they fit. */
interface Passwords {
  passwords: (string | null)[];
  fits: boolean;
}

async function readBags(bags: Asn1, contents: Contents, opening: Passwords): Promise<void> {
  const { keyPassword } = contents;
  const keyPasswords = keyPassword === undefined ? opening.passwords : [...opening.passwords, keyPassword];
  for (const bag of bags.children) {
    const value = bag.child(1).child(0);
    switch (bag.child(0).objectIdentifier) {
      case `${BAG}.1`:
        contents.addPrivateKey(value);
        contents.addKeyName(nameOf(bag), true);
        break;
      case `${BAG}.2`:
        contents.addKeyName(nameOf(bag), await contents.addEncryptedKey(value, keyPasswords, opening.fits));
        break;
      case `${BAG}.3`:
        if (value.child(0).objectIdentifier !== X509_CERTIFICATE) break;
        contents.addCertificate(parseAsn1(value.child(1).child(0).octets, contents.work));
        break;
      case `${BAG}.6`:
        await readBags(value, contents, opening);
        break;
    }
  }
}
