import { CUR_DEVELOPMENT } from "../android-versions";
import type { Archive } from "../archive/archive";
import { InstallerError } from "../errors";
import { MAX_MANIFEST_BYTES } from "../limits";
import type { AndroidInstaller } from "../types";
import type { ToPng } from "./icon/drawable";
import { findAndroidIcon } from "./icon/icon";
import {
  androidInstaller,
  isResourceTableRead,
  nativeAbis,
  RESOURCE_LIMITS,
  type ResourceLimits,
  readEntry,
  readResourceTable,
  resourceFiles,
} from "./installer";
import { interpretManifest } from "./manifest";
import { isPageAligned } from "./page-alignment";
import { parseResourceTable, ResourceTableError } from "./resources/binary-table";
import { BinaryXmlError, parseBinaryXml } from "./resources/binary-xml";
import { NO_RESOURCES, type ResourceTable } from "./resources/resource-table";
import type { XmlElement } from "./resources/xml";
import { readApkSignature } from "./signature/apk-signature";
import { resourceTableStorage, unloadableAbis } from "./storage";

const MANIFEST = "AndroidManifest.xml";
const RESOURCES = "resources.arsc";
const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/;

/**
 * Inspects an Android app (.apk): its manifest with the resources that it references, its icon, the ABIs of its native
 * code, and its signature.
 * @throws InstallerError when it is not an app, or a part of it is damaged or beyond the limits
 */
export async function inspectApk(archive: Archive, signal: AbortSignal, toPng?: ToPng): Promise<AndroidInstaller> {
  const { manifestBytes, resourceBytes, root, table } = await readApkManifest(archive, RESOURCE_LIMITS);
  const manifest = interpretManifest(root, table);
  const contents = new Map([[MANIFEST, manifestBytes]]);
  if (resourceBytes) contents.set(RESOURCES, resourceBytes);
  const files = resourceFiles(archive, "", parseBinaryXml, (error) => error instanceof BinaryXmlError, toPng);
  // An unknown codename belongs to a system newer than all known ones.
  const minSdk = manifest.minSdk ?? (manifest.minOs === null ? null : CUR_DEVELOPMENT);
  const abis = nativeAbis(archive, LIBRARY);
  const [signature, icon, pageAligned, resourceTable, unloadable] = await Promise.all([
    readApkSignature(archive, { ...manifest, minSdk, contents }),
    findAndroidIcon(manifest.icons, table, files, signal),
    isPageAligned(archive, LIBRARY),
    resourceTableStorage(archive, RESOURCES),
    manifest.extractNativeLibs ? [] : unloadableAbis(archive, LIBRARY, abis),
  ]);
  return androidInstaller("apk", manifest, {
    abis,
    pageAligned,
    resourceTable,
    resourcesRead: isResourceTableRead(archive.entries.get(RESOURCES)),
    unloadableAbis: unloadable,
    signatureSchemes: signature.schemes,
    signingSha256: signature.sha256,
    continuedSha256: signature.continued,
    icon,
  });
}

/**
 * Reads the manifest of an app, with the resources that it references.
 * @param limits of the resource table, beyond which it is not read
 * @throws InstallerError
 */
export async function readApkManifest(archive: Archive, limits: ResourceLimits) {
  const entry = archive.entries.get(MANIFEST);
  if (!entry) throw new InstallerError("android_manifest_missing", { path: MANIFEST });
  const [manifestBytes, resourceBytes] = await Promise.all([
    readEntry(archive, entry, MAX_MANIFEST_BYTES),
    readResources(archive, limits),
  ]);
  const table = resourceBytes ? parseResources(resourceBytes) : NO_RESOURCES;
  return { manifestBytes, resourceBytes, root: parseManifest(manifestBytes), table };
}

function parseManifest(bytes: Uint8Array): XmlElement {
  try {
    return parseBinaryXml(bytes);
  } catch (error) {
    if (!(error instanceof BinaryXmlError)) throw error;
    throw new InstallerError(isTextXml(bytes) ? "android_manifest_not_compiled" : "android_manifest_invalid");
  }
}

/** Whether a manifest is source XML, which no device installs. */
function isTextXml(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 512)).trimStart().startsWith("<");
}

/** The bytes of the resource table; null when there is none or it is beyond the limits. */
async function readResources(archive: Archive, limits: ResourceLimits): Promise<Uint8Array | null> {
  const entry = archive.entries.get(RESOURCES);
  return entry ? readResourceTable(archive, entry, limits) : null;
}

/** A damaged table leaves references unresolved; the identity of the app does not depend on them. */
function parseResources(bytes: Uint8Array): ResourceTable {
  try {
    return parseResourceTable(bytes);
  } catch (error) {
    if (error instanceof ResourceTableError) return NO_RESOURCES;
    throw error;
  }
}
