import { compileProtobufResources, compileProtobufXml, message } from "./android-protobuf";
import { defaultAndroidIdentity, signJar } from "./android-signing";
import { type AndroidAppOptions, androidSources, resourceIds, type SourceElement } from "./android-sources";
import type { SigningIdentity } from "./make-certificate";
import { makeZip, writeZip, type ZipFile } from "./make-zip";

export interface AabOptions extends AndroidAppOptions {
  /** The size of a stored file of zeros, which makes the bundle as large as a real one. */
  fillerBytes?: number;
  /** The signer; null for an unsigned bundle. */
  identity?: SigningIdentity | null;
  /** Additional entries of the archive. */
  extraEntries?: readonly ZipFile[];
}

/** Makes an Android App Bundle in memory that bundletool accepts and jarsigner verifies. */
export function makeAab(options: AabOptions = {}): Uint8Array<ArrayBuffer> {
  return makeZip(aabEntries(options));
}

/**
 * Writes an Android App Bundle to a file. The filler takes no memory and, on most file systems, no space.
 * @returns the size of the file in bytes
 */
export function writeAab(path: string, options: AabOptions = {}): Promise<number> {
  return writeZip(path, aabEntries(options));
}

/** The archive entries of an Android App Bundle with its JAR signature, for tests that modify them. */
export function aabEntries(options: AabOptions = {}): ZipFile[] {
  const { identifier = "com.example.app", abis = [], fillerBytes = 0, identity = defaultAndroidIdentity() } = options;
  const sources = androidSources(options);
  const ids = resourceIds(sources.resources);
  const compiled = (content: Uint8Array | SourceElement) =>
    content instanceof Uint8Array ? content : compileProtobufXml(content, ids);
  const deflated = (name: string, data: Uint8Array): ZipFile => ({ name, data, method: 8 });
  const entries: ZipFile[] = [
    // BundleConfig { bundletool { version } }
    deflated("BundleConfig.pb", message([[1, message([[2, "1.18.1"]])]])),
    deflated("base/manifest/AndroidManifest.xml", compileProtobufXml(sources.manifest, ids)),
    deflated("base/resources.pb", compileProtobufResources(identifier, sources.resources)),
    ...sources.files.map(({ path, content }) => deflated(`base/${path}`, compiled(content))),
    ...abis.map((abi) => deflated(`base/lib/${abi}/libexample.so`, Buffer.from("7f454c46", "hex"))),
    ...(options.extraEntries ?? []),
    ...(fillerBytes > 0 ? [{ name: "base/assets/filler.bin", data: { zeros: fillerBytes } }] : []),
  ];
  return identity === null ? entries : signJar(entries, identity);
}
