import type { Archive } from "../archive/archive";
import { ProtobufError } from "../encoding/protobuf";
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
import { parseProtobufResources, parseProtobufXml } from "./resources/protobuf";
import { NO_RESOURCES, type ResourceTable } from "./resources/resource-table";
import type { XmlElement } from "./resources/xml";
import { hasJarSignature, readJarSignature } from "./signature/jar-signature";

const BASE = "base/";
const MANIFEST = `${BASE}manifest/AndroidManifest.xml`;
const RESOURCES = `${BASE}resources.pb`;
const LIBRARY = /^base\/lib\/([^/]+)\/[^/]+\.so$/;

/**
 * Inspects an Android App Bundle (.aab): the manifest of its base module with the resources that it references, its icon,
 * the ABIs of its native code, and its JAR signature.
 * @throws InstallerError when it is not a bundle, or a part of it is damaged or beyond the limits
 */
export async function inspectAab(archive: Archive, signal: AbortSignal, toPng?: ToPng): Promise<AndroidInstaller> {
  const { manifestBytes, root, table } = await readAabManifest(archive, RESOURCE_LIMITS);
  const manifest = interpretManifest(root, table);
  const contents = new Map([[MANIFEST, manifestBytes]]);
  const files = resourceFiles(archive, BASE, parseProtobufXml, (error) => error instanceof ProtobufError, toPng);
  const [signers, icon] = await Promise.all([
    readJarSignature(archive, { blockSchemes: new Set(), contents }),
    findAndroidIcon(manifest.icons, table, files, signal),
  ]);
  return androidInstaller("aab", manifest, {
    abis: nativeAbis(archive, LIBRARY),
    // bundletool stores and aligns the libraries and resources of the APKs that it makes.
    pageAligned: null,
    resourceTable: null,
    resourcesRead: isResourceTableRead(archive.entries.get(RESOURCES)),
    unloadableAbis: [],
    signatureSchemes: hasJarSignature(archive) ? ["v1"] : [],
    signingSha256: [...new Set(signers?.map((certificate) => certificate.sha256))],
    icon,
  });
}

/**
 * Reads the manifest of the base module, with the resources that it references.
 * @param limits of the resource table, beyond which it is not read
 * @throws InstallerError
 */
export async function readAabManifest(archive: Archive, limits: ResourceLimits) {
  const entry = archive.entries.get(MANIFEST);
  if (!entry) throw new InstallerError("android_manifest_missing", { path: MANIFEST });
  const [manifestBytes, table] = await Promise.all([
    readEntry(archive, entry, MAX_MANIFEST_BYTES),
    readResources(archive, limits),
  ]);
  return { manifestBytes, root: parseManifest(manifestBytes), table };
}

function parseManifest(bytes: Uint8Array): XmlElement {
  try {
    return parseProtobufXml(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) throw new InstallerError("android_manifest_invalid");
    throw error;
  }
}

async function readResources(archive: Archive, limits: ResourceLimits): Promise<ResourceTable> {
  const entry = archive.entries.get(RESOURCES);
  const bytes = entry && (await readResourceTable(archive, entry, limits));
  try {
    return bytes ? parseProtobufResources(bytes) : NO_RESOURCES;
  } catch (error) {
    if (error instanceof ProtobufError) return NO_RESOURCES;
    throw error;
  }
}
