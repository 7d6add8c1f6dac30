import type { Archive } from "../../archive/archive";
import { bytesEqual } from "../../encoding/bytes";
import { LittleEndian, OverrunError } from "../../encoding/little-endian";
import { MAX_SIGNERS, MAX_SIGNING_BLOCK_BYTES } from "../../limits";
import { type Certificate, parseCertificate } from "./certificate";
import { parsePublicKey, type SignatureScheme, samePublicKey } from "./public-key";
import { SignatureVerifier } from "./verifier";

/** The APK signature schemes in the signing block, oldest first. */
export const BLOCK_SCHEMES = ["v2", "v3", "v3.1"] as const;
export type BlockScheme = (typeof BLOCK_SCHEMES)[number];

/** The signers of one scheme. */
export interface SchemeSigners {
  /** The signing certificates in the order of the block; null when a signer is not valid. */
  signers: Certificate[] | null;
  /** The first certificate of the lineage of each signer, which is the signer before any rotation. */
  oldest: Certificate[];
  /** SHA-256 of the certificates before the signers' whose installed apps are updated, by the proof of rotation. */
  continued: string[];
}

const MAGIC = new TextEncoder().encode("APK Sig Block 42");
const FOOTER_SIZE = 24;
const MAX_LINEAGE = 100;
/** Of a certificate in a lineage: what it signed is updated by what its successors sign. */
const CAPABILITY_INSTALLED_DATA = 1;

const SCHEME_IDS = new Map<number, BlockScheme>([
  [0x7109871a, "v2"],
  [0xf05368c0, "v3"],
  [0x1b93ad61, "v3.1"],
]);

/** In v2: the id of a newer scheme that must be present. */
const ATTRIBUTE_STRIPPING_PROTECTION = 0xbeeff00d;
/** In v3: the first API level of the v3.1 signers, which must be present. */
const ATTRIBUTE_ROTATION_MIN_SDK = 0x559f8b02;
/** In v3 and v3.1: the lineage of certificates, each signed by its predecessor. */
const ATTRIBUTE_PROOF_OF_ROTATION = 0x3ba06f8c;

/** In the order of the platform, weakest first: it verifies only the strongest. */
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

/** An invalid signer. It is not thrown out of this file. */
class SignerError extends Error {}

/**
 * Reads the APK Signing Block (source.android.com, "APK Signature Scheme v2" and "v3") before the central directory and
 * verifies each signer: the signature over the signed data, that the certificate belongs to the signing key, that the
 * algorithms and API levels inside and outside of the signed data are equal, that no newer scheme was stripped, and the
 * proof of rotation. The digests of the contents are not verified: that needs the whole file, and the device does it on
 * installation.
 * @returns the signers by scheme; empty when the file has no block
 */
export async function readSigningBlock(
  archive: Archive,
  verifier: SignatureVerifier,
): Promise<Map<BlockScheme, SchemeSigners>> {
  const block = await findBlock(archive);
  return block ? parseSigningBlock(block, verifier) : new Map();
}

async function findBlock(archive: Archive): Promise<Uint8Array | null> {
  const end = archive.centralDirectoryOffset;
  if (end < FOOTER_SIZE + 8) return null;
  const footer = new LittleEndian(await archive.readRange(end - FOOTER_SIZE, FOOTER_SIZE));
  if (!bytesEqual(footer.slice(8, MAGIC.length), MAGIC)) return null;
  const size = footer.bytes.subarray(4, 8).some((byte) => byte !== 0) ? Number.POSITIVE_INFINITY : footer.u32(0);
  if (size < FOOTER_SIZE || size > MAX_SIGNING_BLOCK_BYTES || size + 8 > end) return null;
  const block = new LittleEndian(await archive.readRange(end - size - 8, size + 8));
  return block.u32(0) === size && block.u32(4) === 0 ? block.slice(8, size - FOOTER_SIZE) : null;
}

/** Parses the pairs of a signing block, without its sizes and magic. A pair that is cut short ends the block. */
export function parseSigningBlock(
  pairs: Uint8Array,
  verifier = new SignatureVerifier(),
): Map<BlockScheme, SchemeSigners> {
  const values = new Map<BlockScheme, Uint8Array>();
  const data = new LittleEndian(pairs);
  try {
    for (let at = 0; at < data.length; ) {
      const size = data.u64(at);
      const scheme = SCHEME_IDS.get(data.u32(at + 8));
      // As on the platform, the first pair with an id counts.
      if (scheme && !values.has(scheme)) values.set(scheme, data.slice(at + 12, size - 4));
      data.slice(at + 8, size);
      at += 8 + size;
    }
  } catch (error) {
    if (!(error instanceof OverrunError)) throw error;
  }
  const found = new Map<BlockScheme, SchemeSigners>();
  let context: SchemeContext = { schemes: new Set(values.keys()), rotationSdk: null, verifier };
  for (const scheme of BLOCK_SCHEMES.toReversed()) {
    const value = values.get(scheme);
    if (!value) continue;
    const signers = readScheme(scheme, value, context);
    if (scheme === "v3.1")
      context = { ...context, rotationSdk: Math.min(...(signers?.map(({ minSdk }) => minSdk) ?? [])) };
    // v3.1 needs a v3 signature for older systems.
    const isComplete = signers && (scheme !== "v3.1" || values.has("v3"));
    found.set(scheme, {
      signers: isComplete ? signers.map(({ certificate }) => certificate) : null,
      oldest: isComplete ? signers.map(({ oldest }) => oldest) : [],
      continued: isComplete ? signers.flatMap(({ continued }) => continued) : [],
    });
  }
  return new Map(
    BLOCK_SCHEMES.flatMap((scheme) => (found.has(scheme) ? [[scheme, found.get(scheme) as SchemeSigners]] : [])),
  );
}

/** The properties of the block against which each signer is checked. */
interface SchemeContext {
  /** All schemes of the block. */
  schemes: ReadonlySet<BlockScheme>;
  /** The first API level of the v3.1 signers; null without such signers. */
  rotationSdk: number | null;
  verifier: SignatureVerifier;
}

interface Signer {
  certificate: Certificate;
  oldest: Certificate;
  continued: string[];
  minSdk: number;
}

function readScheme(scheme: BlockScheme, value: Uint8Array, context: SchemeContext): Signer[] | null {
  try {
    const messages = prefixed(firstPrefixed(value), MAX_SIGNERS);
    if (messages.length === 0) throw new SignerError("no signer");
    return messages.map((message) => readSigner(scheme, message, context));
  } catch (error) {
    if (error instanceof SignerError || error instanceof OverrunError) return null;
    throw error;
  }
}

function readSigner(scheme: BlockScheme, message: Uint8Array, context: SchemeContext): Signer {
  const reader = new PrefixedReader(message);
  const signedData = reader.bytes();
  const versions = scheme === "v2" ? null : reader.versions();
  const signatures = prefixed(reader.bytes(), SIGNATURE_ALGORITHMS.length * 4).map(idAndBytes);
  const publicKey = reader.bytes();
  verifyStrongest(signatures, publicKey, signedData, context.verifier);

  const signed = new PrefixedReader(signedData);
  const digests = prefixed(signed.bytes(), SIGNATURE_ALGORITHMS.length * 4).map(idAndBytes);
  const [first] = prefixed(signed.bytes(), MAX_LINEAGE);
  const signedVersions = versions && signed.versions();
  const attributes = prefixed(signed.bytes(), MAX_LINEAGE);

  const certificate = first ? parseCertificate(first) : null;
  if (!certificate?.publicKey || !samePublicKey(certificate.publicKey, parsePublicKey(publicKey))) {
    throw new SignerError("the certificate does not belong to the signing key");
  }
  if (String(signatures.map(({ id }) => id)) !== String(digests.map(({ id }) => id))) {
    throw new SignerError("digests and signatures have different algorithms");
  }
  if (String(versions) !== String(signedVersions)) throw new SignerError("the API levels were changed");
  let lineage: Lineage | null = null;
  for (const attribute of attributes) {
    const data = new LittleEndian(attribute);
    const id = data.u32(0);
    if (scheme === "v2" && id === ATTRIBUTE_STRIPPING_PROTECTION && data.u32(4) === 3 && !context.schemes.has("v3")) {
      throw new SignerError("the v3 signature was stripped");
    }
    if (scheme === "v3" && id === ATTRIBUTE_ROTATION_MIN_SDK && data.u32(4) !== context.rotationSdk) {
      throw new SignerError("the v3.1 signature was stripped or changed");
    }
    if (scheme !== "v2" && id === ATTRIBUTE_PROOF_OF_ROTATION) {
      if (lineage) throw new SignerError("several proofs of rotation");
      lineage = verifyLineage(data.slice(4, data.length - 4), certificate, context.verifier);
    }
  }
  const { oldest, continued } = lineage ?? { oldest: certificate, continued: [] };
  return { certificate, oldest, continued, minSdk: versions?.[0] ?? 0 };
}

/** Verifies the strongest supported signature, as the platform does. */
function verifyStrongest(
  signatures: { id: number; bytes: Uint8Array }[],
  publicKey: Uint8Array,
  signedData: Uint8Array,
  verifier: SignatureVerifier,
): void {
  const ranked = signatures
    .map(({ id, bytes }) => ({ rank: SIGNATURE_ALGORITHMS.findIndex(([known]) => known === id), bytes }))
    .toSorted((a, b) => b.rank - a.rank);
  const algorithm = SIGNATURE_ALGORITHMS[ranked[0]?.rank ?? -1];
  const key = parsePublicKey(publicKey);
  const signature = ranked[0]?.bytes.subarray(4);
  if (!algorithm || !key || !signature || !verifier.verify(key, algorithm[1], signedData, firstPrefixed(signature))) {
    throw new SignerError("the signature over the signed data does not verify");
  }
}

/** What a proof of rotation tells of the certificates before the signer's. */
type Lineage = Pick<Signer, "oldest" | "continued">;

/** Verifies a proof of rotation, which must end with `certificate`. */
function verifyLineage(proof: Uint8Array, certificate: Certificate, verifier: SignatureVerifier): Lineage {
  const nodes = prefixed(proof.subarray(4), MAX_LINEAGE);
  let parent: { certificate: Certificate; algorithm: number } | null = null;
  let oldest: Certificate | null = null;
  const continued: string[] = [];
  for (const node of nodes) {
    const reader = new PrefixedReader(node);
    const signedData = reader.bytes();
    const capabilities = reader.u32();
    const algorithm = reader.u32();
    const signature = reader.bytes();
    const signed = new PrefixedReader(signedData);
    const current = parseCertificate(signed.bytes());
    const parentAlgorithm = signed.u32();
    if (!current) throw new SignerError("a node of the lineage has no certificate");
    if (parent) {
      const scheme = SIGNATURE_ALGORITHMS.find(([id]) => id === parent?.algorithm)?.[1];
      const key = parent.certificate.publicKey;
      if (
        parentAlgorithm !== parent.algorithm ||
        !scheme ||
        !key ||
        !verifier.verify(key, scheme, signedData, signature)
      ) {
        throw new SignerError("the lineage does not verify");
      }
    }
    oldest ??= current;
    parent = { certificate: current, algorithm };
    if (capabilities & CAPABILITY_INSTALLED_DATA) continued.push(current.sha256);
  }
  if (!oldest || parent?.certificate.sha256 !== certificate.sha256) {
    throw new SignerError("the lineage does not end with the signer");
  }
  return { oldest, continued: continued.filter((sha256) => sha256 !== certificate.sha256) };
}

/** Reads a sequence of numbers and length-prefixed byte strings. */
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

  /** The first and last API level of a signer. */
  versions(): [min: number, max: number] {
    return [this.u32(), this.u32()];
  }

  bytes(): Uint8Array {
    const length = this.u32();
    this.#at += length;
    return this.#data.slice(this.#at - length, length);
  }
}

/** The length-prefixed byte strings that make up `bytes`. */
function prefixed(bytes: Uint8Array, maxCount: number): Uint8Array[] {
  const reader = new PrefixedReader(bytes);
  const values: Uint8Array[] = [];
  while (!reader.done) {
    if (values.length === maxCount) throw new SignerError("too many values");
    values.push(reader.bytes());
  }
  return values;
}

/** The length-prefixed byte string at the start of `bytes`. */
function firstPrefixed(bytes: Uint8Array): Uint8Array {
  return new PrefixedReader(bytes).bytes();
}

function idAndBytes(bytes: Uint8Array): { id: number; bytes: Uint8Array } {
  return { id: new LittleEndian(bytes).u32(0), bytes };
}
