import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { endEntity } from "./certificate";
import { Contents } from "./contents";
import { type Asn1, parseAsn1 } from "./encoding/asn1";
import { type PemBlock, readPem } from "./encoding/pem";
import { decryptPem, parseDecrypted } from "./encryption/password-based";
import { CertificateFileError } from "./errors";
import { isJavaKeystore, readJavaKeystore } from "./java-keystore";
import { MAX_FILE_BYTES } from "./limits";
import { readPkcs7, SIGNED_DATA } from "./pkcs7";
import { readPkcs12 } from "./pkcs12";
import type { CertificateFile, CertificateFormat } from "./types";
import { Work } from "./work";

/** What a part of a file is. */
type PartKind =
  | "certificate"
  | "pkcs7"
  | "pkcs12"
  | "encrypted-key"
  | "pkcs8-key"
  | "rsa-key"
  | "ec-key"
  | "dsa-key"
  | "public-key";

type ContentKind = PartKind | "java-keystore";

/** By the labels of RFC 7468 and of OpenSSL. */
const PEM_KINDS: Readonly<Record<string, PartKind>> = {
  CERTIFICATE: "certificate",
  "X509 CERTIFICATE": "certificate",
  "TRUSTED CERTIFICATE": "certificate",
  PKCS7: "pkcs7",
  CMS: "pkcs7",
  "PKCS #7 SIGNED DATA": "pkcs7",
  PKCS12: "pkcs12",
  "ENCRYPTED PRIVATE KEY": "encrypted-key",
  "PRIVATE KEY": "pkcs8-key",
  "RSA PRIVATE KEY": "rsa-key",
  "EC PRIVATE KEY": "ec-key",
  "DSA PRIVATE KEY": "dsa-key",
  "PUBLIC KEY": "public-key",
};

export interface ReadOptions {
  fileName: string;
  /** Opens encrypted keys, PKCS#12 and JKS. */
  password?: string;
  /** Of private keys in PKCS#12 and JKS, where it is not that of the file. */
  keyPassword?: string;
}

/**
 * Reads a certificate file. Its format is judged by its content. Signatures and dates are not verified.
 * @throws CertificateFileError and nothing else
 */
export async function readCertificateFile(bytes: Uint8Array, options: ReadOptions): Promise<CertificateFile> {
  return readWithin(new Work(), bytes, options);
}

/** As `readCertificateFile`, for tests that look at the work. */
export async function readWithin(work: Work, bytes: Uint8Array, options: ReadOptions): Promise<CertificateFile> {
  if (bytes.length > MAX_FILE_BYTES) throw new CertificateFileError("too_large");
  if (isEncryptedJavaKeystore(bytes)) throw new CertificateFileError("java_keystore");
  const contents = new Contents(options.password, work, options.keyPassword);
  try {
    const isKeystore = isJavaKeystore(bytes);
    const blocks = isKeystore ? null : readPem(bytes);
    let kinds: ContentKind[];
    if (isKeystore) {
      readJavaKeystore(bytes, contents);
      kinds = ["java-keystore"];
    } else kinds = blocks ? await readBlocks(blocks, contents) : [await readDer(bytes, contents)];
    if (contents.isEmpty) throw new CertificateFileError("invalid_format", "neither a certificate nor a key");
    const end = endEntity(contents.certificates);
    const expirations = contents.certificates.map(({ notAfter }) => notAfter.getTime());
    return {
      format: formatOf(kinds, { isPem: blocks !== null, fileName: options.fileName, contents }),
      sha256: bytesToHex(sha256(bytes)),
      opened: !contents.locked,
      hasPrivateKey: contents.hasPrivateKey,
      chainLength: contents.certificates.length,
      keys: contents.keys,
      subject: end?.subject,
      issuer: end?.issuer,
      serialNumber: end?.serialNumber,
      keyAlgorithm: end?.keyAlgorithm ?? contents.keyAlgorithms[0],
      expirationDate: expirations.length > 0 ? new Date(Math.min(...expirations)) : undefined,
    };
  } catch (error) {
    if (error instanceof CertificateFileError) throw error;
    // The libraries throw errors of their own for values that they do not expect.
    throw new CertificateFileError("read_error", "a value is damaged", { cause: error });
  }
}

/** The first bytes of the format JCEKS, whose keys only Java reads. */
function isEncryptedJavaKeystore(bytes: Uint8Array): boolean {
  return bytesToHex(bytes.subarray(0, 4)) === "cececece";
}

async function readBlocks(blocks: PemBlock[], contents: Contents): Promise<PartKind[]> {
  const kinds: PartKind[] = [];
  for (const { label, headers, bytes } of blocks) {
    const kind = PEM_KINDS[label];
    if (!kind) continue;
    kinds.push(kind);
    const encryption = headers.get("DEK-Info");
    if (encryption !== undefined) {
      contents.hasPrivateKey = true;
      const { password, work } = contents;
      const key = password === undefined ? null : parseDecrypted(decryptPem(encryption, bytes, password, work), work);
      if (key) await addPart(kind, key, contents);
      else contents.lock();
    } else if (label === "TRUSTED CERTIFICATE") {
      // OpenSSL's trust settings follow the certificate.
      contents.addCertificate(parseAsn1(bytes, contents.work, { trailing: true }));
    } else {
      await addPart(kind, parseAsn1(bytes, contents.work), contents);
    }
  }
  return kinds;
}

async function readDer(bytes: Uint8Array, contents: Contents): Promise<PartKind> {
  if (!looksLikeDer(bytes)) throw new CertificateFileError("invalid_format");
  const value = parseAsn1(bytes, contents.work);
  const kind = kindOf(value);
  if (!kind) throw new CertificateFileError("invalid_format", "ASN.1 of another kind");
  await addPart(kind, value, contents);
  return kind;
}

/** A SEQUENCE whose length is that of the file, or has the long or the indefinite form. */
function looksLikeDer(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes;
  return tag === 0x30 && ((length >= 0x80 && length <= 0x84) || (length < 0x80 && bytes.length >= length + 2));
}

/** The kind of a DER file by the types of its first values; undefined for others. */
function kindOf(value: Asn1): PartKind | undefined {
  if (!value.isSequence) return undefined;
  const [first, second, third] = value.children;
  if (!first || !second) return undefined;
  if (first.isObjectIdentifier) return first.objectIdentifier === SIGNED_DATA ? "pkcs7" : undefined;
  if (first.isSequence) {
    if (second.isOctetString) return "encrypted-key";
    if (second.isBitString) return "public-key";
    // A certification request has the same form, without a validity.
    const isCertificate = third?.isBitString && first.children.length >= 6;
    return isCertificate ? "certificate" : undefined;
  }
  if (!first.isInteger) return undefined;
  if (second.isOctetString) return "ec-key";
  if (second.isSequence) return third?.isOctetString ? "pkcs8-key" : first.integer === 3 ? "pkcs12" : undefined;
  if (second.isInteger) return { 6: "dsa-key", 9: "rsa-key" }[value.children.length] as PartKind | undefined;
  return undefined;
}

async function addPart(kind: PartKind, value: Asn1, contents: Contents): Promise<void> {
  switch (kind) {
    case "certificate":
      return contents.addCertificate(value);
    case "pkcs7":
      return readPkcs7(value, contents);
    case "pkcs12":
      return readPkcs12(value, contents);
    case "encrypted-key":
      await contents.addEncryptedKey(value, contents.password === undefined ? [] : [contents.password]);
      return;
    case "pkcs8-key":
      return contents.addPrivateKey(value);
    case "rsa-key":
      return contents.addRsaKey(value);
    case "ec-key":
      return contents.addEcKey(value);
    case "dsa-key":
      return contents.addDsaKey(value);
    case "public-key":
      return contents.addPublicKey(value);
  }
}

/** The extensions that are usual for a content, the most usual one first. */
function usualFormats(
  kinds: readonly ContentKind[],
  isPem: boolean,
  contents: Contents,
): readonly [CertificateFormat, ...CertificateFormat[]] {
  if (kinds.includes("pkcs12")) return ["p12", "pfx"];
  if (kinds.includes("java-keystore")) return ["jks"];
  if (kinds.includes("pkcs7")) return isPem ? ["p7b", "p7c", "pem"] : ["p7b", "p7c"];
  if (contents.certificates.length === 0) return isPem ? ["key", "pem"] : ["key", "der"];
  if (!isPem) return ["der", "cer", "crt"];
  return contents.hasPrivateKey ? ["pem", "crt", "cer", "key"] : ["pem", "crt", "cer"];
}

function formatOf(
  kinds: readonly ContentKind[],
  { isPem, fileName, contents }: { isPem: boolean; fileName: string; contents: Contents },
): CertificateFormat {
  const formats = usualFormats(kinds, isPem, contents);
  const extension = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  return formats.find((format) => format === extension) ?? formats[0];
}
