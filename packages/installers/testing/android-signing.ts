import { createHash, createPublicKey, sign } from "node:crypto";
import { der, derInteger, derOid, TAG } from "./der";
import { makeSigningIdentity, type SigningIdentity } from "./make-certificate";
import type { ZipFile } from "./make-zip";

const OID_SHA256 = "2.16.840.1.101.3.4.2.1";
const OID_DATA = "1.2.840.113549.1.7.1";
const OID_SIGNED_DATA = "1.2.840.113549.1.7.2";
const DIGEST_ALGORITHM = der(TAG.sequence, derOid(OID_SHA256), der(TAG.null));

let identity: SigningIdentity | undefined;

/** The default signer of apps; the same throughout a process. */
export function defaultAndroidIdentity(): SigningIdentity {
  identity ??= makeSigningIdentity({ name: "Example Android" });
  return identity;
}

/** SHA-256 of the certificate of an identity in lower-case hex. */
export function fingerprint({ certificate }: SigningIdentity): string {
  return createHash("sha256").update(certificate).digest("hex");
}

/**
 * Signs files as a JAR.
 * @param attributes added to the .SF file
 * @returns the files, followed by those of META-INF
 */
export function signJar(
  files: readonly ZipFile[],
  identity: SigningIdentity,
  { attributes = {}, baseName = "CERT" }: { attributes?: Record<string, string>; baseName?: string } = {},
): ZipFile[] {
  const sections = files.map(({ name, data }) =>
    manifestLines({ Name: String(name), "SHA-256-Digest": contentDigest(data) }),
  );
  const manifest = Buffer.concat([manifestLines({ "Manifest-Version": "1.0" }), ...sections]);
  const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64");
  const signatureFile = Buffer.concat([
    manifestLines({ "Signature-Version": "1.0", "SHA-256-Digest-Manifest": digestOf(manifest), ...attributes }),
    ...files.map(({ name }, index) =>
      manifestLines({ Name: String(name), "SHA-256-Digest": digestOf(sections[index] as Uint8Array) }),
    ),
  ]);
  return [
    ...files,
    { name: "META-INF/MANIFEST.MF", data: manifest, method: 8 },
    { name: `META-INF/${baseName}.SF`, data: signatureFile, method: 8 },
    {
      name: `META-INF/${baseName}.${identity.privateKey.asymmetricKeyType?.toUpperCase()}`,
      data: signedData(signatureFile, identity),
      method: 8,
    },
  ];
}

/** A section of a manifest, with lines of at most 70 bytes (the JAR specification permits 72). */
function manifestLines(attributes: Record<string, string>): Buffer {
  const lines = Object.entries(attributes).flatMap(([name, value]) => {
    const bytes = Buffer.from(`${name}: ${value}`);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 69) parts.push(bytes.subarray(at, at + 69));
    return parts.map((part, index) => Buffer.concat([Buffer.from(index > 0 ? " " : ""), part, Buffer.from("\r\n")]));
  });
  return Buffer.concat([...lines, Buffer.from("\r\n")]);
}

function contentDigest(data: ZipFile["data"]): string {
  const hash = createHash("sha256");
  if (data instanceof Uint8Array) return hash.update(data).digest("base64");
  const chunk = Buffer.alloc(1024 * 1024);
  for (let left = data.zeros; left > 0; left -= chunk.length) hash.update(chunk.subarray(0, left));
  return hash.digest("base64");
}

/** A PKCS #7 SignedData without content and signed attributes, as by jarsigner and signapk. */
function signedData(content: Uint8Array, { privateKey, certificate, issuer, serial }: SigningIdentity): Buffer {
  const isRsa = privateKey.asymmetricKeyType === "rsa";
  const signerInfo = der(
    TAG.sequence,
    derInteger("1"),
    der(TAG.sequence, issuer, serial),
    DIGEST_ALGORITHM,
    isRsa
      ? der(TAG.sequence, derOid("1.2.840.113549.1.1.1"), der(TAG.null))
      : der(TAG.sequence, derOid("1.2.840.10045.4.3.2")),
    der(TAG.octetString, sign("sha256", content, privateKey)),
  );
  const data = der(
    TAG.sequence,
    derInteger("1"),
    der(TAG.set, DIGEST_ALGORITHM),
    der(TAG.sequence, derOid(OID_DATA)),
    der(TAG.context(0), certificate),
    der(TAG.set, signerInfo),
  );
  return der(TAG.sequence, derOid(OID_SIGNED_DATA), der(TAG.context(0), data));
}

/** A signer of a signing block. The defaults are those of apksigner. */
export interface BlockSigner {
  identity: SigningIdentity;
  /** The chunked digest of the contents of the file. */
  digest: Uint8Array;
  /** Additional attributes, by id. */
  attributes?: readonly (readonly [id: number, value: Uint8Array])[];
  /** The first and last API level, for v3. */
  versions?: readonly [min: number, max: number];
  /** Replaces the public key of the signer. */
  publicKey?: Uint8Array;
  /** Replaces the signature. */
  signature?: Uint8Array;
}

const BLOCK_IDS = { v2: 0x7109871a, v3: 0xf05368c0, "v3.1": 0x1b93ad61 } as const;
/** Ids of additional attributes. */
export const STRIPPING_PROTECTION = 0xbeeff00d;
export const ROTATION_MIN_SDK = 0x559f8b02;
export const PROOF_OF_ROTATION = 0x3ba06f8c;

/** The pairs of a signing block, without its sizes and magic. */
export function blockPairs(schemes: Partial<Record<keyof typeof BLOCK_IDS, readonly BlockSigner[]>>): Buffer {
  return Buffer.concat(
    Object.entries(schemes).map(([scheme, signers]) => {
      const value = prefixed(...signers.map((signer) => prefixed(blockSigner(signer, scheme !== "v2"))));
      const head = Buffer.alloc(12);
      head.writeBigUInt64LE(BigInt(value.length + 4), 0);
      head.writeUInt32LE(BLOCK_IDS[scheme as keyof typeof BLOCK_IDS], 8);
      return Buffer.concat([head, value]);
    }),
  );
}

/** An APK Signing Block, padded to a multiple of 4,096 bytes as by apksigner. */
export function signingBlock(pairs: Uint8Array): Buffer {
  const padding = (4096 - ((pairs.length + 32 + 12) % 4096)) % 4096;
  const pad = Buffer.alloc(12 + padding);
  pad.writeBigUInt64LE(BigInt(4 + padding), 0);
  pad.writeUInt32LE(0x42726577, 8);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(pairs.length + pad.length + 24), 0);
  return Buffer.concat([size, pairs, pad, size, Buffer.from("APK Sig Block 42")]);
}

function blockSigner(signer: BlockSigner, isV3: boolean): Buffer {
  const { identity, attributes = [], versions = [24, 0x7fffffff] } = signer;
  const algorithm = uint32(algorithmOf(identity));
  const versionBytes = isV3 ? Buffer.concat(versions.map(uint32)) : Buffer.alloc(0);
  const data = Buffer.concat([
    prefixed(prefixed(algorithm, prefixed(signer.digest))),
    prefixed(prefixed(identity.certificate)),
    versionBytes,
    prefixed(...attributes.map(([id, value]) => prefixed(uint32(id), value))),
  ]);
  const signature = signer.signature ?? sign("sha256", data, identity.privateKey);
  return Buffer.concat([
    prefixed(data),
    versionBytes,
    prefixed(prefixed(algorithm, prefixed(signature))),
    prefixed(signer.publicKey ?? createPublicKey(identity.privateKey).export({ type: "spki", format: "der" })),
  ]);
}

/** The id of ECDSA, or of RSA with PKCS #1 padding, both with SHA-256. */
function algorithmOf({ privateKey }: SigningIdentity): number {
  return privateKey.asymmetricKeyType === "rsa" ? 0x0103 : 0x0201;
}

/** A proof of rotation: the certificate of each identity, signed by the previous one. */
export function proofOfRotation(
  identities: readonly SigningIdentity[],
  capabilities: Readonly<Record<string, number>> = {},
): Buffer {
  const nodes = identities.map((identity, index) => {
    const parent = identities[index - 1];
    const data = Buffer.concat([prefixed(identity.certificate), uint32(parent ? algorithmOf(parent) : 0)]);
    const signature = parent ? sign("sha256", data, parent.privateKey) : Buffer.alloc(0);
    return prefixed(
      prefixed(data),
      uint32(capabilities[fingerprint(identity)] ?? 23),
      uint32(algorithmOf(identity)),
      prefixed(signature),
    );
  });
  return Buffer.concat([uint32(1), ...nodes]);
}

/** The digest of APK Signature Scheme v2, over the digests of chunks of at most 1 MiB. */
export function chunkedDigest(chunkDigests: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha256").update(Buffer.of(0x5a)).update(uint32(chunkDigests.length));
  for (const digest of chunkDigests) hash.update(digest);
  return hash.digest();
}

/** The digest of a chunk. */
export function chunkDigest(chunk: Uint8Array): Uint8Array {
  return createHash("sha256").update(Buffer.of(0xa5)).update(uint32(chunk.length)).update(chunk).digest();
}

function prefixed(...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(body.length), body]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0, 0);
  return bytes;
}
