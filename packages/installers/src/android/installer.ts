/** What inspecting an .apk and inspecting an .aab have in common. */

import type { Archive, ArchiveEntry } from "../archive/archive";
import type { AndroidInstaller, InstallerIcon } from "../types";
import type { ResourceFiles } from "./icon/drawable";
import type { AndroidManifest } from "./manifest";
import type { XmlElement } from "./resources/xml";

/** The most bytes that a manifest may hold. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

const ABI_NAME = /^[A-Za-z0-9_-]{1,32}$/;
const MOST_ABIS = 32;

/** Gives an entry's contents as Android unpacks it, for which every compression method but "stored" is deflate. */
export function readEntry(archive: Archive, entry: ArchiveEntry, maxBytes: number): Promise<Uint8Array> {
  return archive.read(entry, maxBytes, { unknownMethodIsDeflate: true });
}

/** The resource files below a folder of the archive; `isXmlError` knows what `parseXml` throws at other bytes. */
export function resourceFiles(
  archive: Archive,
  folder: string,
  parseXml: (bytes: Uint8Array) => XmlElement,
  isXmlError: (error: unknown) => boolean,
): ResourceFiles {
  return {
    parseXml(bytes) {
      try {
        return parseXml(bytes);
      } catch (error) {
        if (isXmlError(error)) return null;
        throw error;
      }
    },
    async read(path, maxBytes) {
      const entry = archive.entries.get(folder + path);
      return entry && entry.uncompressedSize <= maxBytes ? readEntry(archive, entry, maxBytes) : null;
    },
  };
}

/** The machines for which there is native code, in alphabetical order: the first group of `library` in an entry's name. */
export function nativeAbis(archive: Archive, library: RegExp): string[] {
  const abis = new Set<string>();
  for (const name of archive.entries.keys()) {
    const abi = library.exec(name)?.[1];
    if (abi && ABI_NAME.test(abi) && abis.size < MOST_ABIS) abis.add(abi);
  }
  return [...abis].toSorted();
}

/** Puts together what was read. An app without any label shows its package name on the device. */
export function androidInstaller(
  kind: AndroidInstaller["kind"],
  manifest: AndroidManifest,
  found: Pick<AndroidInstaller, "abis" | "signatureSchemes" | "signingSha256"> & { icon: InstallerIcon | null },
): AndroidInstaller {
  return {
    kind,
    identifier: manifest.packageName,
    displayName: manifest.label || manifest.packageName,
    version: manifest.versionName,
    buildNumber: manifest.versionCode,
    minOs: manifest.minOs,
    minSdk: manifest.minSdk,
    targetSdk: manifest.targetSdk,
    permissions: manifest.permissions,
    split: manifest.split,
    debuggable: manifest.debuggable,
    ...found,
  };
}
