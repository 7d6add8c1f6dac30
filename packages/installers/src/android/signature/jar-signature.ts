import type { Archive, ArchiveEntry } from "../../archive/archive";
import { bytesEqual, concatBytes } from "../../encoding/bytes";
import {
  childrenOf,
  DER_TAG,
  type DerValue,
  objectIdentifierOf,
  octetsOf,
  parseDer,
  sequenceOf,
} from "../../encoding/der";
import { InstallerError } from "../../errors";
import { MAX_ENTRY_BYTES, MAX_SIGNERS } from "../../limits";
import { type Certificate, parseCertificate } from "./certificate";
import { HASHES, type HashName, type SignatureScheme } from "./public-key";
import { SignatureVerifier } from "./verifier";

const MANIFEST = "META-INF/MANIFEST.MF";
const SIGNATURE_FILE = /^META-INF\/([^/]+)\.SF$/i;
const SIGNATURE_BLOCK = /^META-INF\/([^/]+)\.(?:RSA|DSA|EC)$/i;
const SIGNATURE_PART = /^META-INF\/(?:MANIFEST\.MF|SIG-[^/]*|[^/]+\.(?:SF|RSA|DSA|EC))$/i;
const MAX_BLOCK_BYTES = 1024 * 1024;

const OID_SIGNED_DATA = "1.2.840.113549.1.7.2";
const OID_CONTENT_TYPE = "1.2.840.113549.1.9.3";
const OID_MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const OID_RSA_PSS = "1.2.840.113549.1.1.10";
const IMPLICIT_0 = 0x80;

const DIGEST_OIDS: Record<string, HashName> = {
  "1.2.840.113549.2.5": "md5",
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/** Signature algorithms that imply a hash; for the others, the digest algorithm counts. */
const SIGNATURE_OIDS: Record<string, HashName> = {
  "1.2.840.113549.1.1.4": "md5",
  "1.2.840.113549.1.1.5": "sha1",
  "1.2.840.113549.1.1.14": "sha224",
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10040.4.3": "sha1",
  "2.16.840.1.101.3.4.3.1": "sha224",
  "2.16.840.1.101.3.4.3.2": "sha256",
  "1.2.840.10045.4.1": "sha1",
  "1.2.840.10045.4.3.1": "sha224",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
};

/** The prefixes of attributes that hold a digest ("SHA-256-Digest", …). */
const DIGEST_ATTRIBUTES: readonly (readonly [prefix: string, HashName])[] = [
  ["sha-512", "sha512"],
  ["sha-384", "sha384"],
  ["sha-256", "sha256"],
  ["sha1", "sha1"],
  ["sha", "sha1"],
  ["md5", "md5"],
];

/** An invalid JAR signature. It is not thrown out of this file. */
class JarSignatureError extends Error {}

export interface JarSignatureOptions {
  /** The other APK signature schemes of the file ("2", "3"): those that a signer lists must be present. */
  blockSchemes: ReadonlySet<string>;
  /** Entries that have been read already, by name; their digests are verified. */
  contents?: ReadonlyMap<string, Uint8Array>;
  verifier?: SignatureVerifier;
}

/**
 * Verifies a JAR signature (JAR File Specification, "Signed JAR File"; CMS, RFC 5652) as `apksigner` does: the PKCS #7
 * block of each signer over its .SF file, the digests of the manifest and of its sections in the .SF file, and that the
 * manifest lists exactly the files of the archive, each signed by all signers. The digests of files are verified for
 * `contents` only: the others need the whole file, and the device verifies them on installation.
 * @returns the signing certificates in the order of the archive; null when it is not signed or a check fails
 */
export async function readJarSignature(archive: Archive, options: JarSignatureOptions): Promise<Certificate[] | null> {
  try {
    return await verifySigners(archive, options);
  } catch (error) {
    // A damaged or oversized part of the signature makes the file unsigned, not unreadable.
    if (error instanceof JarSignatureError) return null;
    if (error instanceof InstallerError && error.reason.startsWith("entry_")) return null;
    throw error;
  }
}

/** Whether an archive contains a JAR signature, valid or not. */
export function hasJarSignature(archive: Archive): boolean {
  return [...archive.entries.keys()].some((name) => SIGNATURE_FILE.test(name) || SIGNATURE_BLOCK.test(name));
}

async function verifySigners(archive: Archive, options: JarSignatureOptions): Promise<Certificate[]> {
  const blocks = [...archive.entries.values()].filter((entry) => SIGNATURE_BLOCK.test(entry.name));
  const manifestEntry = archive.entries.get(MANIFEST);
  if (!manifestEntry || blocks.length === 0) throw new JarSignatureError("not signed");
  if (blocks.length > MAX_SIGNERS) throw new JarSignatureError("too many signers");
  const read = (entry: ArchiveEntry, limit: number) => archive.read(entry, limit, { unknownMethodIsDeflate: true });
  const manifest = parseManifest(await read(manifestEntry, MAX_ENTRY_BYTES));
  const sections = sectionsByName(manifest);
  const required = namesToSign(archive, sections, options.contents);

  const verifier = options.verifier ?? new SignatureVerifier();
  const signers: Certificate[] = [];
  for (const block of blocks) {
    const base = SIGNATURE_BLOCK.exec(block.name)?.[1] as string;
    const file = archive.entries.get(`META-INF/${base}.SF`);
    // A block without a .SF file signs nothing and is skipped.
    if (!file) continue;
    const signatureFile = await read(file, MAX_ENTRY_BYTES);
    signers.push(verifyBlock(await read(block, MAX_BLOCK_BYTES), signatureFile, verifier));
    verifySignatureFile(signatureFile, manifest, sections, required, options.blockSchemes);
  }
  if (signers.length === 0) throw new JarSignatureError("not signed");
  return signers;
}

/** The files that each signer must have signed. Throws when the manifest and the archive list different files. */
function namesToSign(
  archive: Archive,
  sections: ReadonlyMap<string, Section>,
  contents: ReadonlyMap<string, Uint8Array> = new Map(),
): string[] {
  const required: string[] = [];
  for (const entry of archive.entries.values()) {
    if (entry.isDirectory || SIGNATURE_PART.test(entry.name)) continue;
    const section = sections.get(entry.name);
    const known = contents.get(entry.name);
    const matches = section && digestsMatch(section.attributes, "-digest", known ?? null);
    if (matches === undefined || matches === null) throw new JarSignatureError("a file is missing in the manifest");
    if (!matches) throw new JarSignatureError("a file does not match its digest");
    required.push(entry.name);
  }
  for (const name of sections.keys()) {
    if (!archive.entries.has(name)) throw new JarSignatureError("a signed file is missing");
  }
  return required;
}

function verifySignatureFile(
  signatureFile: Uint8Array,
  manifest: Manifest,
  sections: ReadonlyMap<string, Section>,
  required: string[],
  blockSchemes: ReadonlySet<string>,
): void {
  const signed = parseManifest(signatureFile);
  const main = signed.main.attributes;
  if (!main.has("signature-version")) throw new JarSignatureError("no signature version");
  for (const scheme of (main.get("x-android-apk-signed") ?? "").split(",")) {
    const number = scheme.trim();
    if ((number === "2" || number === "3") && !blockSchemes.has(number)) {
      throw new JarSignatureError("a newer signature was stripped");
    }
  }
  const signedSections = sectionsByName(signed);
  const wholeMatches = digestsMatch(main, "-digest-manifest", manifest.bytes) === true;
  if (!wholeMatches && digestsMatch(main, "-digest-manifest-main-attributes", manifest.main.bytes) === false) {
    throw new JarSignatureError("the manifest's main section was changed");
  }
  for (const name of required) {
    const signedSection = signedSections.get(name);
    if (!signedSection) throw new JarSignatureError("a file is not signed by all signers");
    const section = sections.get(name);
    if (!wholeMatches && !(section && digestsMatch(signedSection.attributes, "-digest", section.bytes))) {
      throw new JarSignatureError("a section of the manifest was changed");
    }
  }
}

/** Verifies the first signer of a PKCS #7 SignedData over `content`, and returns the certificate of the signer. */
function verifyBlock(block: Uint8Array, content: Uint8Array, verifier: SignatureVerifier): Certificate {
  const [contentType, wrapped] = sequenceOf(parseDer(block));
  if (objectIdentifierOf(contentType) !== OID_SIGNED_DATA) throw new JarSignatureError("no signed data");
  const fields = sequenceOf(childrenOf(wrapped)[0]);
  const certificates = fields.find((field) => field.tag === IMPLICIT_0);
  // The first set is that of the digest algorithms, the last that of the signers.
  const signerInfos = fields.findLast((field) => field.tag === DER_TAG.set);
  const [, signerId, digestAlgorithm, ...rest] = sequenceOf(childrenOf(signerInfos)[0]);
  const signedAttributes = rest[0]?.tag === IMPLICIT_0 ? rest.shift() : undefined;
  const [signatureAlgorithm, signatureValue] = rest;

  const certificate = findCertificate(childrenOf(certificates), signerId);
  const digestHash = DIGEST_OIDS[objectIdentifierOf(sequenceOf(digestAlgorithm)[0])];
  const signatureOid = objectIdentifierOf(sequenceOf(signatureAlgorithm)[0]);
  const hash = SIGNATURE_OIDS[signatureOid] ?? digestHash;
  const signature = octetsOf(signatureValue);
  if (!certificate?.publicKey || !digestHash || !hash || !signature)
    throw new JarSignatureError("the signer is malformed or unsupported");

  const { kind } = certificate.publicKey;
  // No Android version supports DSA with the longer hashes.
  if (kind === "dsa" && (hash === "sha384" || hash === "sha512")) throw new JarSignatureError("DSA with a long hash");
  const rsaPadding = signatureOid === OID_RSA_PSS ? "pss" : "pkcs1";
  const padding: SignatureScheme["padding"] = kind === "rsa" ? rsaPadding : kind === "ec" ? "ecdsa" : "dsa";
  let message = content;
  if (signedAttributes) {
    const attributes = attributesByType(signedAttributes);
    const signedType = objectIdentifierOf(attributes.get(OID_CONTENT_TYPE));
    const digest = octetsOf(attributes.get(OID_MESSAGE_DIGEST));
    const contentInfo = fields.find((field) => field.tag === DER_TAG.sequence);
    if (signedType === "" || signedType !== objectIdentifierOf(sequenceOf(contentInfo)[0])) {
      throw new JarSignatureError("the signed attributes are for another content type");
    }
    if (!digest || !bytesEqual(digest, HASHES[digestHash](content))) {
      throw new JarSignatureError("the .SF file was changed");
    }
    // The signature is over the encoding as a SET (RFC 5652, 5.4).
    message = signedAttributes.encoded.slice();
    message[0] = 0x31;
  }
  if (!verifier.verify(certificate.publicKey, { padding, hash }, message, signature)) {
    throw new JarSignatureError("the signature does not verify");
  }
  return certificate;
}

function findCertificate(certificates: DerValue[], signerId: DerValue | undefined): Certificate | undefined {
  const [issuer, serialNumber] = sequenceOf(signerId);
  if (!issuer || !serialNumber) throw new JarSignatureError("the signer is not identified");
  const candidates = certificates
    .map((value) => parseCertificate(value.encoded))
    .filter((certificate) => certificate !== null)
    .filter((certificate) => bytesEqual(certificate.serialNumber, serialNumber.contents));
  // The issuer may be encoded with other string types than in the certificate. The key must verify the signature anyway.
  return candidates.find((certificate) => bytesEqual(certificate.issuer, issuer.encoded)) ?? candidates[0];
}

/** The first value of each signed attribute by type. Throws on duplicates. */
function attributesByType(signedAttributes: DerValue): Map<string, DerValue> {
  const attributes = new Map<string, DerValue>();
  for (const attribute of childrenOf(signedAttributes)) {
    const [type, values] = sequenceOf(attribute);
    const name = objectIdentifierOf(type);
    const [value] = childrenOf(values);
    if (name === "" || !value || attributes.has(name)) throw new JarSignatureError("damaged signed attributes");
    attributes.set(name, value);
  }
  return attributes;
}

/** A section of a manifest, with the bytes over which its digest is computed: up to the end of its blank line. */
interface Section {
  bytes: Uint8Array;
  /** By lower-case name. */
  attributes: Map<string, string>;
}

interface Manifest {
  bytes: Uint8Array;
  main: Section;
  sections: Section[];
}

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const MAX_SECTIONS = 200_000;

function sectionsByName(manifest: Manifest): Map<string, Section> {
  const byName = new Map<string, Section>();
  for (const section of manifest.sections) {
    const name = section.attributes.get("name");
    if (name === undefined || byName.has(name)) throw new JarSignatureError("a section without a unique name");
    byName.set(name, section);
  }
  return byName;
}

/** Parses a manifest or .SF file: sections of "name: value" lines, which lines with a leading space continue. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const sections: Section[] = [];
  let section = { start: 0, lines: [] as Uint8Array[] };
  const finish = (end: number) => {
    // Additional blank lines do not belong to a section.
    if (section.lines.length > 0) {
      sections.push({ bytes: bytes.subarray(section.start, end), attributes: readAttributes(section.lines) });
    }
    section = { start: end, lines: [] };
    if (sections.length > MAX_SECTIONS) throw new JarSignatureError("too many sections");
  };
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while (end < bytes.length && bytes[end] !== CR && bytes[end] !== LF) end++;
    const next = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    if (end === at) finish(Math.min(next, bytes.length));
    else section.lines.push(bytes.subarray(at, end));
    at = next;
  }
  if (section.lines.length > 0) finish(bytes.length);
  const [main, ...others] = sections;
  if (!main) throw new JarSignatureError("an empty manifest");
  return { bytes, main, sections: others };
}

function readAttributes(lines: Uint8Array[]): Map<string, string> {
  const attributes = new Map<string, string>();
  // Lines are joined before decoding because they may break within a character.
  let parts: Uint8Array[] = [];
  const flush = () => {
    if (parts.length === 0) return;
    const line = new TextDecoder("utf-8", { ignoreBOM: true }).decode(concatBytes(parts));
    const colon = line.indexOf(": ");
    if (colon < 1) throw new JarSignatureError("a line without a name");
    attributes.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2));
    parts = [];
  };
  for (const line of lines) {
    if (line[0] === SPACE) parts.push(line.subarray(1));
    else {
      flush();
      parts = [line];
    }
  }
  flush();
  return attributes;
}

/**
 * Whether all digests in the attributes match `content`; null when there are none.
 * @param content null when it is not known: digests then count as matching
 */
function digestsMatch(attributes: Map<string, string>, suffix: string, content: Uint8Array | null): boolean | null {
  let matches: boolean | null = null;
  for (const [prefix, hash] of DIGEST_ATTRIBUTES) {
    const text = attributes.get(prefix + suffix);
    if (text === undefined) continue;
    matches ??= true;
    if (content && !bytesEqual(HASHES[hash](content), fromBase64(text))) matches = false;
  }
  return matches;
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  } catch {
    throw new JarSignatureError("a digest is not Base64");
  }
}
