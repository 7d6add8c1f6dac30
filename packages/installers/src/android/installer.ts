/** The common parts of inspecting an .apk and an .aab. */

import { type Archive, type ArchiveEntry, readOptional } from "../archive/archive";
import { MAX_COMPRESSED_RESOURCES_BYTES, MAX_STORED_RESOURCES_BYTES } from "../limits";
import type { AndroidInstaller, InstallerIcon } from "../types";
import type { ResourceFiles, ToPng } from "./icon/drawable";
import type { AndroidManifest } from "./manifest";
import type { XmlElement } from "./resources/xml";

const ABI_NAME = /^[A-Za-z0-9_-]{1,32}$/;
const MAX_ABIS = 32;

/** The contents of an entry, decompressed as on Android, which treats every method but "stored" as deflate. */
export function readEntry(archive: Archive, entry: ArchiveEntry, maxBytes: number): Promise<Uint8Array> {
  return archive.read(entry, maxBytes, { unknownMethodIsDeflate: true });
}

/** The largest resource tables that are read, in bytes after decompression. */
export interface ResourceLimits {
  stored: number;
  compressed: number;
}

/** A stored table is not larger than the file, so it may be larger. */
export const RESOURCE_LIMITS: ResourceLimits = {
  stored: MAX_STORED_RESOURCES_BYTES,
  compressed: MAX_COMPRESSED_RESOURCES_BYTES,
};

function isWithin({ method, uncompressedSize }: ArchiveEntry, { stored, compressed }: ResourceLimits): boolean {
  return uncompressedSize <= (method === 0 ? stored : compressed);
}

/** Whether the resource table of an app is within the limits, or there is none. */
export function isResourceTableRead(entry: ArchiveEntry | undefined): boolean {
  return !entry || isWithin(entry, RESOURCE_LIMITS);
}

/** The bytes of a resource table; null if it is beyond the limits. */
export async function readResourceTable(
  archive: Archive,
  entry: ArchiveEntry,
  limits: ResourceLimits,
): Promise<Uint8Array | null> {
  if (!isWithin(entry, limits)) return null;
  const larger = { storedUpTo: limits.stored, inflatedUpTo: limits.compressed };
  return readOptional(archive, entry, entry.uncompressedSize, { unknownMethodIsDeflate: true, ...larger });
}

/**
 * The resource files in a folder of the archive.
 * @param isXmlError recognizes the error of `parseXml` for bytes that are not compiled XML
 * @param toPng converts images
 */
export function resourceFiles(
  archive: Archive,
  folder: string,
  parseXml: (bytes: Uint8Array) => XmlElement,
  isXmlError: (error: unknown) => boolean,
  toPng: ToPng | undefined,
): ResourceFiles {
  return {
    toPng,
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
      if (!entry || entry.uncompressedSize > maxBytes) return null;
      return readOptional(archive, entry, maxBytes, { unknownMethodIsDeflate: true });
    },
  };
}

/**
 * The ABIs of the native code, sorted.
 * @param library matches the names of libraries, with the ABI as its first group
 */
export function nativeAbis(archive: Archive, library: RegExp): string[] {
  const abis = new Set<string>();
  for (const name of archive.entries.keys()) {
    const abi = library.exec(name)?.[1];
    if (abi && ABI_NAME.test(abi) && abis.size < MAX_ABIS) abis.add(abi);
  }
  return [...abis].toSorted();
}

type FoundInArchive = Pick<AndroidInstaller, "kind" | "resourcesRead" | "abis" | "signatureSchemes" | "signingSha256"> &
  Pick<AndroidInstaller, "continuedSha256" | "pageAligned" | "resourceTable" | "unloadableAbis"> & {
    icon: InstallerIcon | null;
  };

/** The result of an inspection. The device shows the package name of an app without a label. */
export function androidInstaller(
  kind: AndroidInstaller["kind"],
  manifest: AndroidManifest,
  found: Omit<FoundInArchive, "kind">,
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
    testOnly: manifest.testOnly,
    previewCodename: manifest.previewCodename,
    requiredLibraries: manifest.requiredLibraries,
    deviceTypes: manifest.deviceTypes,
    ...found,
  };
}
