import { type Archive, MAX_ENTRY_BYTES } from "../archive/archive";
import { InstallerError } from "../errors";
import type { AndroidInstaller } from "../types";
import { findAndroidIcon } from "./icon/icon";
import { androidInstaller, MAX_MANIFEST_BYTES, nativeAbis, readEntry, resourceFiles } from "./installer";
import { interpretManifest } from "./manifest";
import { parseResourceTable, ResourceTableError } from "./resources/binary-table";
import { BinaryXmlError, parseBinaryXml } from "./resources/binary-xml";
import { NO_RESOURCES, type ResourceTable } from "./resources/resource-table";
import type { XmlElement } from "./resources/xml";
import { readApkSignature } from "./signature/apk-signature";

const MANIFEST = "AndroidManifest.xml";
const RESOURCES = "resources.arsc";
const MAX_STORED_RESOURCES = 64 * 1024 * 1024;
/** As the platform numbers a system in development. */
const NEXT_SDK = 10_000;
const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/;

/**
 * Reads an Android app (.apk): its manifest with the resources that it refers to, its icon, the machines for which it has
 * native code and who signed it.
 * @throws InstallerError when it is no app, a part of it is damaged or beyond the limits
 */
export async function inspectApk(archive: Archive, signal: AbortSignal): Promise<AndroidInstaller> {
  const manifestEntry = archive.entries.get(MANIFEST);
  if (!manifestEntry) throw new InstallerError("android_manifest_missing", { path: MANIFEST });
  const [manifestBytes, resourceBytes] = await Promise.all([
    readEntry(archive, manifestEntry, MAX_MANIFEST_BYTES),
    readResources(archive),
  ]);
  const table = resourceBytes ? parseResources(resourceBytes) : NO_RESOURCES;
  const manifest = interpretManifest(parseManifest(manifestBytes), table);
  const contents = new Map([[MANIFEST, manifestBytes]]);
  if (resourceBytes) contents.set(RESOURCES, resourceBytes);
  const files = resourceFiles(archive, "", parseBinaryXml, (error) => error instanceof BinaryXmlError);
  // A codename that is not known yet is of a system newer than all others.
  const minSdk = manifest.minSdk ?? (manifest.minOs === null ? null : NEXT_SDK);
  const [signature, icon] = await Promise.all([
    readApkSignature(archive, { ...manifest, minSdk, contents }),
    findAndroidIcon(manifest.icons, table, files, signal),
  ]);
  return androidInstaller("apk", manifest, {
    abis: nativeAbis(archive, LIBRARY),
    signatureSchemes: signature.schemes,
    signingSha256: signature.sha256,
    icon,
  });
}

function parseManifest(bytes: Uint8Array): XmlElement {
  try {
    return parseBinaryXml(bytes);
  } catch (error) {
    if (!(error instanceof BinaryXmlError)) throw error;
    throw new InstallerError(looksLikeText(bytes) ? "android_manifest_not_compiled" : "android_manifest_invalid");
  }
}

/** Whether a manifest is the XML that a person wrote, which no device installs. */
function looksLikeText(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 512)).trimStart().startsWith("<");
}

/** The bytes of the resource table; null where there is none, or a larger one than we read. */
async function readResources(archive: Archive): Promise<Uint8Array | null> {
  const entry = archive.entries.get(RESOURCES);
  // Since Android 11 it is stored as it is, and then of no danger when it is large.
  const limit = entry?.method === 0 ? MAX_STORED_RESOURCES : MAX_ENTRY_BYTES;
  if (!entry || entry.uncompressedSize > limit) return null;
  return archive.read(entry, limit, { unknownMethodIsDeflate: true, storedUpTo: MAX_STORED_RESOURCES });
}

/** A table that is not readable leaves references unresolved: the app's identity does not depend on it. */
function parseResources(bytes: Uint8Array): ResourceTable {
  try {
    return parseResourceTable(bytes);
  } catch (error) {
    if (error instanceof ResourceTableError) return NO_RESOURCES;
    throw error;
  }
}
