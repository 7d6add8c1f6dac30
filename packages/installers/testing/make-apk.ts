import { openArchive } from "../src/archive/archive";
import { openFileSource } from "../src/node";
import { type ByteSource, bytesSource } from "../src/source";
import { type BinaryOptions, compileBinaryXml, compileResourceTable } from "./android-binary";
import {
  type BlockSigner,
  blockPairs,
  chunkDigest,
  chunkedDigest,
  defaultAndroidIdentity,
  PROOF_OF_ROTATION,
  proofOfRotation,
  ROTATION_MIN_SDK,
  STRIPPING_PROTECTION,
  signingBlock,
  signJar,
} from "./android-signing";
import { type AndroidAppOptions, androidSources, resourceIds, type SourceElement } from "./android-sources";
import type { SigningIdentity } from "./make-certificate";
import { makeZip, writeZip, type ZipFile } from "./make-zip";

export interface ApkOptions extends AndroidAppOptions {
  /** The size of a stored file of zeros, which makes the app as large as a real one. */
  fillerBytes?: number;
  /** Signature schemes; the default is v2. "v3.1" rotates from `identity` to `rotatedTo`. */
  schemes?: readonly ("v1" | "v2" | "v3" | "v3.1")[];
  identity?: SigningIdentity;
  rotatedTo?: SigningIdentity;
  /** The layout of the XML and the resource table. */
  binary?: BinaryOptions;
  /** Additional entries of the archive. */
  extraEntries?: readonly ZipFile[];
  /** Modifies the pairs of the signing block. */
  changeBlock?: (pairs: Buffer) => Uint8Array;
}

/** Makes an Android app in memory that aapt reads, apksigner verifies and a device installs. */
export async function makeApk(options: ApkOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const entries = apkEntries(options);
  const unsigned = makeZip(entries);
  const block = await blockFor(bytesSource(unsigned), options);
  return block ? makeZip(entries, { beforeDirectory: block }) : unsigned;
}

/**
 * Writes an Android app to a file. The filler takes no memory and, on most file systems, no space.
 * @returns the size of the file in bytes
 */
export async function writeApk(path: string, options: ApkOptions = {}): Promise<number> {
  const entries = apkEntries(options);
  const size = await writeZip(path, entries);
  await using source = await openFileSource(path);
  const block = await blockFor(source, options);
  return block ? writeZip(path, entries, { beforeDirectory: block }) : size;
}

/** The archive entries of an Android app with any JAR signature, for tests that modify them. */
export function apkEntries(options: ApkOptions = {}): ZipFile[] {
  const { identifier = "com.example.app", abis = [], fillerBytes = 0, binary } = options;
  const sources = androidSources(options);
  const ids = resourceIds(sources.resources);
  const compiled = (content: Uint8Array | SourceElement) =>
    content instanceof Uint8Array ? content : compileBinaryXml(content, ids, binary);
  const entries: ZipFile[] = [
    // The first entry, whose data is at offset 44: Android 11 and later require an alignment of 4 bytes.
    { name: "resources.arsc", data: compileResourceTable(identifier, sources.resources, binary) },
    { name: "AndroidManifest.xml", data: compileBinaryXml(sources.manifest, ids, binary), method: 8 },
    ...sources.files.map(({ path, content }) => ({ name: path, data: compiled(content) })),
    ...abis.map((abi) => ({ name: `lib/${abi}/libexample.so`, data: Buffer.from("7f454c46", "hex"), method: 8 })),
    ...(options.extraEntries ?? []),
    ...(fillerBytes > 0 ? [{ name: "assets/filler.bin", data: { zeros: fillerBytes } }] : []),
  ];
  const { schemes = ["v2"], identity = defaultAndroidIdentity() } = options;
  if (!schemes.includes("v1")) return entries;
  const newer = [...(schemes.includes("v2") ? ["2"] : []), ...(schemes.includes("v3") ? ["3"] : [])].join(", ");
  return signJar(entries, identity, newer ? { attributes: { "X-Android-APK-Signed": newer } } : {});
}

const CHUNK = 1024 * 1024;

async function blockFor(unsigned: ByteSource, options: ApkOptions): Promise<Uint8Array | null> {
  const { schemes = ["v2"], identity = defaultAndroidIdentity(), rotatedTo, changeBlock = (pairs) => pairs } = options;
  const wanted = new Set(schemes);
  if (!wanted.has("v2") && !wanted.has("v3")) return null;
  const digest = await contentDigest(unsigned);
  const rotationSdk = Buffer.alloc(4);
  rotationSdk.writeUInt32LE(33, 0);
  const v3Number = Buffer.alloc(4);
  v3Number.writeUInt32LE(3, 0);
  const signers: Partial<Record<"v2" | "v3" | "v3.1", BlockSigner[]>> = {};
  if (wanted.has("v2")) {
    signers.v2 = [{ identity, digest, attributes: wanted.has("v3") ? [[STRIPPING_PROTECTION, v3Number]] : [] }];
  }
  if (wanted.has("v3")) {
    const rotates = wanted.has("v3.1");
    signers.v3 = [
      {
        identity,
        digest,
        versions: [24, rotates ? 32 : 0x7fffffff],
        attributes: rotates ? [[ROTATION_MIN_SDK, rotationSdk]] : [],
      },
    ];
  }
  if (wanted.has("v3.1") && rotatedTo) {
    signers["v3.1"] = [
      {
        identity: rotatedTo,
        digest,
        versions: [33, 0x7fffffff],
        attributes: [[PROOF_OF_ROTATION, proofOfRotation([identity, rotatedTo])]],
      },
    ];
  }
  return signingBlock(changeBlock(blockPairs(signers)));
}

/** The digest of the contents of an archive without a block: its entries, central directory and end record. */
async function contentDigest(source: ByteSource): Promise<Uint8Array> {
  const { centralDirectoryOffset, endRecordOffset } = await openArchive(source);
  const bounds = [0, centralDirectoryOffset, endRecordOffset, source.size];
  const digests: Uint8Array[] = [];
  // A filler repeats the same chunk thousands of times.
  let last: { chunk: Uint8Array; digest: Uint8Array } = { chunk: new Uint8Array(), digest: new Uint8Array() };
  for (const [index, start] of bounds.slice(0, -1).entries()) {
    const end = bounds[index + 1] as number;
    for (let at = start; at < end; at += CHUNK) {
      const chunk = await source.read(at, Math.min(CHUNK, end - at));
      if (Buffer.compare(chunk, last.chunk) !== 0) last = { chunk, digest: chunkDigest(chunk) };
      digests.push(last.digest);
    }
  }
  return chunkedDigest(digests);
}
