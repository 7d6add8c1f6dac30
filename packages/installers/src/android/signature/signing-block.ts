import type { Archive } from "../../archive/archive";
import { bytesEqual, LittleEndian, OverrunError } from "../../encoding/little-endian";
import { type Certificate, parseCertificate } from "./certificate";
import { parsePublicKey, type SignatureScheme, samePublicKey, verifySignature } from "./public-key";

/** The APK signature schemes that live in the signing block, oldest first. */
export const BLOCK_SCHEMES = ["v2", "v3", "v3.1"] as const;
export type BlockScheme = (typeof BLOCK_SCHEMES)[number];

/** Who signed under one scheme. */
export interface SchemeSigners {
  /** The signing certificates in the block's order; null when any signer's signature does not verify. */
  signers: Certificate[] | null;
  /** The first certificate of each signer's proof of rotation: who signed before the key was ever changed. */
  oldest: Certificate[];
}

const MAGIC = new TextEncoder().encode("APK Sig Block 42");
const FOOTER_SIZE = 24;
/** Stores and channel tools add pairs of their own, of some kilobytes; nothing real comes near this. */
const MAX_BLOCK_SIZE = 16 * 1024 * 1024;
const MAX_SIGNERS = 10;
const MAX_LINEAGE = 100;

const SCHEME_IDS = new Map<number, BlockScheme>([
  [0x7109871a, "v2"],
  [0xf05368c0, "v3"],
  [0x1b93ad61, "v3.1"],
]);

/** Of v2: the scheme that was written beside it and must not be gone. */
const ATTRIBUTE_STRIPPING_PROTECTION = 0xbeeff00d;
/** Of v3: the system from which the v3.1 signers beside it hold. */
const ATTRIBUTE_ROTATION_MIN_SDK = 0x559f8b02;
/** Of v3 and v3.1: the lineage of certificates, each signed by the one before. */
const ATTRIBUTE_PROOF_OF_ROTATION = 0x3ba06f8c;

/** Weakest first, as the platform ranks them: it verifies the strongest alone. */
const SIGNATURE_ALGORITHMS: readonly (readonly [id: number, SignatureScheme])[] = [
  [0x0421, { padding: "pkcs1", hash: "sha256" }],
  [0x0423, { padding: "ecdsa", hash: "sha256" }],
  [0x0425, { padding: "dsa", hash: "sha256" }],
  [0x0101, { padding: "pss", hash: "sha256" }],
  [0x0103, { padding: "pkcs1", hash: "sha256" }],
  [0x0201, { padding: "ecdsa", hash: "sha256" }],
  [0x0301, { padding: "dsa", hash: "sha256" }],
  [0x0102, { padding: "pss", hash: "sha512" }],
  [0x0104, { padding: "pkcs1", hash: "sha512" }],
  [0x0202, { padding: "ecdsa", hash: "sha512" }],
];

/** Why a signer is not accepted. Never leaves this file. */
class SignerError extends Error {}

/**
 * Reads the APK Signing Block (source.android.com, "APK Signature Scheme v2" and "v3") before the central directory and
 * verifies each signer: its signature over the signed data, that the certificate is of the key that signed, that the
 * algorithms and system versions inside and outside agree, that no newer scheme was stripped, and the proof of rotation.
 * The digests of the file's contents are not recomputed: that needs the whole file, and the device does it on installing.
 * @returns what was found by scheme; empty where the file has no block
 */
export async function readSigningBlock(archive: Archive): Promise<Map<BlockScheme, SchemeSigners>> {
  const block = await findBlock(archive);
  return block ? parseSigningBlock(block) : new Map();
}

async function findBlock(archive: Archive): Promise<Uint8Array | null> {
  const end = archive.centralDirectoryOffset;
  if (end < FOOTER_SIZE + 8) return null;
  const footer = new LittleEndian(await archive.readRange(end - FOOTER_SIZE, FOOTER_SIZE));
  if (!bytesEqual(footer.slice(8, MAGIC.length), MAGIC)) return null;
  const size = footer.bytes.subarray(4, 8).some((byte) => byte !== 0) ? Number.POSITIVE_INFINITY : footer.u32(0);
  if (size < FOOTER_SIZE || size > MAX_BLOCK_SIZE || size + 8 > end) return null;
  const block = new LittleEndian(await archive.readRange(end - size - 8, size + 8));
  return block.u32(0) === size && block.u32(4) === 0 ? block.slice(8, size - FOOTER_SIZE) : null;
}

/** Reads the pairs of a signing block, its sizes and magic taken off. A pair cut short ends the block. */
export function parseSigningBlock(pairs: Uint8Array): Map<BlockScheme, SchemeSigners> {
  const values = new Map<BlockScheme, Uint8Array>();
  const data = new LittleEndian(pairs);
  try {
    for (let at = 0; at < data.length; ) {
      const size = data.u64(at);
      const scheme = SCHEME_IDS.get(data.u32(at + 8));
      // As on the platform, the first pair of an id counts.
      if (scheme && !values.has(scheme)) values.set(scheme, data.slice(at + 12, size - 4));
      data.slice(at + 8, size);
      at += 8 + size;
    }
  } catch (error) {
    if (!(error instanceof OverrunError)) throw error;
  }
  const found = new Map<BlockScheme, SchemeSigners>();
  let newer: Newer = { schemes: new Set(values.keys()), rotationSdk: null };
  for (const scheme of BLOCK_SCHEMES.toReversed()) {
    const value = values.get(scheme);
    if (!value) continue;
    const signers = readScheme(scheme, value, newer);
    if (scheme === "v3.1") newer = { ...newer, rotationSdk: Math.min(...(signers?.map(({ minSdk }) => minSdk) ?? [])) };
    // v3.1 only adds to what v3 says for older systems.
    const isComplete = signers && (scheme !== "v3.1" || values.has("v3"));
    found.set(scheme, {
      signers: isComplete ? signers.map(({ certificate }) => certificate) : null,
      oldest: isComplete ? signers.map(({ oldest }) => oldest) : [],
    });
  }
  return new Map(
    BLOCK_SCHEMES.flatMap((scheme) => (found.has(scheme) ? [[scheme, found.get(scheme) as SchemeSigners]] : [])),
  );
}

/** What a signer is checked against. */
interface Newer {
  /** All schemes of the block. */
  schemes: ReadonlySet<BlockScheme>;
  /** The system from which the v3.1 signers hold; null without such. */
  rotationSdk: number | null;
}

interface Signer {
  certificate: Certificate;
  oldest: Certificate;
  minSdk: number;
}

function readScheme(scheme: BlockScheme, value: Uint8Array, newer: Newer): Signer[] | null {
  try {
    const messages = prefixed(prefixedOnly(value), MAX_SIGNERS);
    if (messages.length === 0) throw new SignerError("no signer");
    return messages.map((message) => readSigner(scheme, message, newer));
  } catch (error) {
    if (error instanceof SignerError || error instanceof OverrunError) return null;
    throw error;
  }
}

function readSigner(scheme: BlockScheme, message: Uint8Array, newer: Newer): Signer {
  const reader = new PrefixedReader(message);
  const signedData = reader.bytes();
  const versions = scheme === "v2" ? null : reader.versions();
  const signatures = prefixed(reader.bytes(), SIGNATURE_ALGORITHMS.length * 4).map(idAndBytes);
  const publicKey = reader.bytes();
  verifyStrongest(signatures, publicKey, signedData);

  const signed = new PrefixedReader(signedData);
  const digests = prefixed(signed.bytes(), SIGNATURE_ALGORITHMS.length * 4).map(idAndBytes);
  const [first] = prefixed(signed.bytes(), MAX_LINEAGE);
  const signedVersions = versions && signed.versions();
  const attributes = prefixed(signed.bytes(), MAX_LINEAGE);

  const certificate = first ? parseCertificate(first) : null;
  if (!certificate?.publicKey || !samePublicKey(certificate.publicKey, parsePublicKey(publicKey))) {
    throw new SignerError("the certificate is not of the key that signed");
  }
  if (String(signatures.map(({ id }) => id)) !== String(digests.map(({ id }) => id))) {
    throw new SignerError("digests and signatures name different algorithms");
  }
  if (String(versions) !== String(signedVersions)) throw new SignerError("the system versions were changed");
  let oldest = certificate;
  for (const attribute of attributes) {
    const data = new LittleEndian(attribute);
    const id = data.u32(0);
    if (scheme === "v2" && id === ATTRIBUTE_STRIPPING_PROTECTION && data.u32(4) === 3 && !newer.schemes.has("v3")) {
      throw new SignerError("the v3 signature was stripped");
    }
    if (scheme === "v3" && id === ATTRIBUTE_ROTATION_MIN_SDK && data.u32(4) !== newer.rotationSdk) {
      throw new SignerError("the v3.1 signature was stripped or changed");
    }
    if (scheme !== "v2" && id === ATTRIBUTE_PROOF_OF_ROTATION) {
      oldest = verifyLineage(data.slice(4, data.length - 4), certificate);
    }
  }
  return { certificate, oldest, minSdk: versions?.[0] ?? 0 };
}

/** Verifies the strongest signature that is understood, as the platform does. */
function verifyStrongest(
  signatures: { id: number; bytes: Uint8Array }[],
  publicKey: Uint8Array,
  signedData: Uint8Array,
): void {
  const ranked = signatures
    .map(({ id, bytes }) => ({ rank: SIGNATURE_ALGORITHMS.findIndex(([known]) => known === id), bytes }))
    .toSorted((a, b) => b.rank - a.rank);
  const algorithm = SIGNATURE_ALGORITHMS[ranked[0]?.rank ?? -1];
  const key = parsePublicKey(publicKey);
  const signature = ranked[0]?.bytes.subarray(4);
  if (!algorithm || !key || !signature || !verifySignature(key, algorithm[1], signedData, prefixedOnly(signature))) {
    throw new SignerError("the signature over the signed data does not verify");
  }
}

/** Verifies a proof of rotation that must end with `certificate`, and gives the certificate that it begins with. */
function verifyLineage(proof: Uint8Array, certificate: Certificate): Certificate {
  const nodes = prefixed(proof.subarray(4), MAX_LINEAGE);
  let parent: { certificate: Certificate; algorithm: number } | null = null;
  let oldest: Certificate | null = null;
  for (const node of nodes) {
    const reader = new PrefixedReader(node);
    const signedData = reader.bytes();
    reader.u32(); // what the old key may still do
    const algorithm = reader.u32();
    const signature = reader.bytes();
    const signed = new PrefixedReader(signedData);
    const current = parseCertificate(signed.bytes());
    const parentAlgorithm = signed.u32();
    if (!current) throw new SignerError("the lineage holds no certificate");
    if (parent) {
      const scheme = SIGNATURE_ALGORITHMS.find(([id]) => id === parent?.algorithm)?.[1];
      const key = parent.certificate.publicKey;
      if (
        parentAlgorithm !== parent.algorithm ||
        !scheme ||
        !key ||
        !verifySignature(key, scheme, signedData, signature)
      ) {
        throw new SignerError("the lineage does not verify");
      }
    }
    oldest ??= current;
    parent = { certificate: current, algorithm };
  }
  if (!oldest || parent?.certificate.sha256 !== certificate.sha256) {
    throw new SignerError("the lineage does not end with the signer");
  }
  return oldest;
}

/** Takes length-prefixed byte strings and numbers one after the other. */
class PrefixedReader {
  readonly #data: LittleEndian;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#data = new LittleEndian(bytes);
  }

  get done(): boolean {
    return this.#at === this.#data.length;
  }

  u32(): number {
    this.#at += 4;
    return this.#data.u32(this.#at - 4);
  }

  /** The lowest and the highest system for which a signer holds. */
  versions(): [min: number, max: number] {
    return [this.u32(), this.u32()];
  }

  bytes(): Uint8Array {
    const length = this.u32();
    this.#at += length;
    return this.#data.slice(this.#at - length, length);
  }
}

/** A sequence of length-prefixed byte strings that fills `bytes`. */
function prefixed(bytes: Uint8Array, most: number): Uint8Array[] {
  const reader = new PrefixedReader(bytes);
  const values: Uint8Array[] = [];
  while (!reader.done) {
    if (values.length === most) throw new SignerError("too many values");
    values.push(reader.bytes());
  }
  return values;
}

/** The one length-prefixed byte string that begins `bytes`. */
function prefixedOnly(bytes: Uint8Array): Uint8Array {
  return new PrefixedReader(bytes).bytes();
}

function idAndBytes(bytes: Uint8Array): { id: number; bytes: Uint8Array } {
  return { id: new LittleEndian(bytes).u32(0), bytes };
}
