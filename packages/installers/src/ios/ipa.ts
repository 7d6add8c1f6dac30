import { type Archive, type ArchiveEntry, readOptional } from "../archive/archive";
import { BudgetError, type FileRange, openEntry } from "../archive/entry-reader";
import { readPrefix } from "../archive/prefix";
import { plainText } from "../encoding/text";
import { InstallerError } from "../errors";
import { readIcon } from "../image/icon";
import { pngSize } from "../image/png";
import { MAX_CATALOG_BYTES, MAX_ICON_BYTES, MAX_PLIST_BYTES, MAX_PROFILE_BYTES } from "../limits";
import {
  arrayOf,
  asText,
  dictionaryOf,
  type PlistDictionary,
  PlistError,
  parsePlistDictionary,
  textOf,
} from "../property-list/property-list";
import type { InstallerIcon, IpaInstaller } from "../types";
import { appFile, appFiles } from "./app-files";
import { readCatalogIcon } from "./asset-catalog";
import { type CodeSignature, codeSignatureOfExecutable } from "./code-signature";
import { EXECUTABLE_PREFIX_BYTES, type Executable, parseExecutable, slicesOf } from "./executable";
import { languagesOf } from "./languages";
import { type ProvisioningProfile, parseProvisioningProfile } from "./provisioning-profile";

const PAYLOAD = "Payload/";
const APP_SUFFIX = ".app";

/** The numbers of UIDeviceFamily. */
const DEVICE_FAMILIES = new Map<string, IpaInstaller["deviceFamilies"][number]>([
  ["1", "iphone"],
  ["2", "ipad"],
  ["3", "tv"],
  ["4", "watch"],
  ["6", "mac"],
  ["7", "vision"],
]);
/** CFBundleSupportedPlatforms, which is used when UIDeviceFamily is missing. */
const PLATFORM_FAMILIES = new Map<string, IpaInstaller["deviceFamilies"][number]>([
  ["AppleTVOS", "tv"],
  ["WatchOS", "watch"],
  ["XROS", "vision"],
  ["MacOSX", "mac"],
]);

/** The header of a slice of a universal executable, with most of its load commands, in bytes. */
const SLICE_HEADER_BYTES = 8_192;
/** What an executable is decompressed to at most while the headers of its slices are read. */
const MAX_SLICE_SEARCH_BYTES = 128 * 1024 * 1024;
/** At most this many icon files of each kind are read to find the largest. */
const MAX_ICON_CANDIDATES = 8;

/** Whether the archive holds an iOS app where devices look for it. */
export function isIpa(archive: Archive): boolean {
  return appFolders(archive).some((folder) => archive.entries.has(`${folder}Info.plist`));
}

/**
 * Inspects an iOS app (.ipa): the Info.plist of the only app in Payload, its provisioning profile and its icon. Nested
 * bundles (extensions, watch apps) are not inspected.
 * @throws InstallerError
 */
export async function inspectIpa(archive: Archive, signal: AbortSignal): Promise<IpaInstaller> {
  const folder = findAppFolder(archive);
  const [info, profile] = await Promise.all([readInfo(archive, folder), readProfile(archive, folder)]);
  const identifier = textOf(info, "CFBundleIdentifier");
  if (!identifier || !/^[A-Za-z0-9._-]+$/.test(identifier)) {
    throw new InstallerError("ipa_value_missing", { key: "CFBundleIdentifier" });
  }
  // Devices install an app with only one of the two, and show that one.
  const version = textOf(info, "CFBundleShortVersionString") ?? textOf(info, "CFBundleVersion");
  if (!version) throw new InstallerError("ipa_value_missing", { key: "CFBundleShortVersionString" });

  const executable = await readExecutable(archive, folder, info);
  return {
    kind: "ipa",
    identifier,
    displayName: await displayName(archive, folder, info),
    version,
    buildNumber: textOf(info, "CFBundleVersion") ?? version,
    minOs: textOf(info, "MinimumOSVersion"),
    signingSha256: profile?.certificateSha256 ?? [],
    icon: await findIcon(archive, folder, info, signal),
    deviceFamilies: deviceFamilies(info),
    sdkVersion: textOf(info, "DTPlatformVersion"),
    profileName: profile?.name ?? null,
    profileType: profile?.type ?? null,
    team: profile?.team ?? null,
    teamName: profile?.teamName ?? null,
    profileCreated: profile?.created?.toISOString() ?? null,
    profileExpiry: profile?.expires?.toISOString() ?? null,
    deviceCount: profile?.deviceCount ?? null,
    profileDevices: profile?.devices ?? [],
    entitlements: profile?.entitlements ?? {},
    simulator: executable?.simulator ?? namesSimulator(info),
    signed: archive.entries.has(`${folder}_CodeSignature/CodeResources`),
    certificateExpiry: profile?.certificatesEnd?.toISOString() ?? null,
    requiredCapabilities: requiredCapabilities(info),
    usageDescriptions: usageDescriptions(info),
    architectures: executable?.architectures ?? [],
    platforms: executable?.platforms ?? [],
    profilePlatforms: profile?.platforms ?? [],
    unpackable: firstUnpackable(archive, folder),
  };
}

const MAX_CAPABILITIES = 100;

/** UIRequiredDeviceCapabilities, an array or a dictionary whose true values have to be present. */
export function requiredCapabilities(info: PlistDictionary): string[] {
  const value = info.get("UIRequiredDeviceCapabilities");
  const names =
    value instanceof Map
      ? Array.from(value).flatMap(([name, required]) => (required === true ? [plainText(name)] : []))
      : arrayOf(info, "UIRequiredDeviceCapabilities").map(asText);
  return [...new Set(names.filter((name) => name !== null))].slice(0, MAX_CAPABILITIES);
}

const MAX_USAGE_DESCRIPTIONS = 200;

/** The keys of Info.plist by which the app says why it asks for something private, such as NSCameraUsageDescription. */
export function usageDescriptions(info: PlistDictionary): string[] {
  return [...info.keys()]
    .filter((key) => /^[A-Za-z]{1,100}UsageDescription$/.test(key))
    .toSorted()
    .slice(0, MAX_USAGE_DESCRIPTIONS);
}

/** Whether Info.plist names a simulator as the platform. */
function namesSimulator(info: PlistDictionary): boolean {
  const platforms = [...arrayOf(info, "CFBundleSupportedPlatforms").map(asText), textOf(info, "DTPlatformName")].filter(
    (name) => name !== null,
  );
  return platforms.length > 0 && platforms.every((name) => /simulator$/i.test(name));
}

function executableEntry(archive: Archive, folder: string, info: PlistDictionary): ArchiveEntry | undefined {
  const name = textOf(info, "CFBundleExecutable");
  return name === null ? undefined : appFile(archive, folder, name);
}

/**
 * Reads the code signature of an app, at the end of its executable. A compressed executable is decompressed up to there, so this takes
 * longer than an inspection.
 * @returns null if it is not known: the executable is not signed, damaged or beyond the limits
 * @throws InstallerError if the archive is not an iOS app
 */
export async function readCodeSignatureOf(archive: Archive): Promise<CodeSignature | null> {
  const folder = findAppFolder(archive);
  const info = await readInfo(archive, folder);
  const entry = executableEntry(archive, folder, info);
  return entry ? codeSignatureOfExecutable(archive, entry) : null;
}

async function readExecutable(archive: Archive, folder: string, info: PlistDictionary): Promise<Executable | null> {
  const entry = executableEntry(archive, folder, info);
  const prefix = entry && (await readPrefix(archive, entry, EXECUTABLE_PREFIX_BYTES));
  if (!prefix) return null;
  const headers = await sliceHeaders(archive, entry, slicesOf(prefix.bytes) ?? []);
  return parseExecutable(prefix.bytes, (slice) => headers.get(slice.offset) ?? null);
}

/** The beginnings of the slices of an executable, by their offsets. Those too far behind in a compressed one are left out. */
async function sliceHeaders(
  archive: Archive,
  entry: ArchiveEntry,
  slices: readonly FileRange[],
): Promise<Map<number, Uint8Array>> {
  const headers = new Map<number, Uint8Array>();
  const reader = slices.length > 0 ? await openEntry(archive, entry, { bytesLeft: MAX_SLICE_SEARCH_BYTES }) : null;
  if (!reader) return headers;
  try {
    for (const { offset, length } of slices.toSorted((a, b) => a.offset - b.offset)) {
      const header = await reader.read({ offset, length: Math.min(length, SLICE_HEADER_BYTES) });
      if (header) headers.set(offset, header);
    }
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  } finally {
    await reader.close();
  }
  return headers;
}

/**
 * The first file of an app that iOS cannot unpack, because it is encrypted or compressed by another method than deflate; null if there
 * is none.
 */
function firstUnpackable(archive: Archive, folder: string): string | null {
  for (const { name, method, flags } of archive.entries.values()) {
    const isUsual = (method === 0 || method === 8) && (flags & 1) === 0;
    if (!isUsual && name.startsWith(folder)) return plainText(name);
  }
  return null;
}

/** The folders `Payload/<name>.app/`, with or without an entry of their own. */
function appFolders(archive: Archive): string[] {
  const folders = new Set<string>();
  for (const name of archive.entries.keys()) {
    if (!name.startsWith(PAYLOAD)) continue;
    const end = name.indexOf("/", PAYLOAD.length);
    const isApp = end > PAYLOAD.length + APP_SUFFIX.length && name.endsWith(APP_SUFFIX, end);
    if (isApp) folders.add(name.slice(0, end + 1));
  }
  return [...folders];
}

/**
 * The folder of the only app in Payload, ending with `/`.
 * @throws InstallerError if there is none or several
 */
export function findAppFolder(archive: Archive): string {
  const folders = appFolders(archive);
  const [first] = folders;
  if (!first) throw new InstallerError("ipa_app_missing");
  const complete = folders.filter((folder) => archive.entries.has(`${folder}Info.plist`));
  if (complete.length > 1) {
    const names = complete.slice(0, 4).map((folder) => folder.slice(PAYLOAD.length, -1));
    throw new InstallerError("ipa_several_apps", { names: names.join(", ") });
  }
  if (!complete[0]) throw new InstallerError("ipa_info_plist_missing", { app: first.slice(PAYLOAD.length, -1) });
  return complete[0];
}

/**
 * The Info.plist in the folder of an app.
 * @throws InstallerError
 */
export async function readInfo(archive: Archive, folder: string): Promise<PlistDictionary> {
  const app = folder.slice(PAYLOAD.length, -1);
  const entry = archive.entries.get(`${folder}Info.plist`) as ArchiveEntry;
  try {
    return parsePlistDictionary(await archive.read(entry, MAX_PLIST_BYTES));
  } catch (error) {
    if (error instanceof PlistError) throw new InstallerError("ipa_info_plist_invalid", { app });
    throw error;
  }
}

async function readProfile(archive: Archive, folder: string): Promise<ProvisioningProfile | null> {
  const entry = archive.entries.get(`${folder}embedded.mobileprovision`);
  return entry ? parseProvisioningProfile(await archive.read(entry, MAX_PROFILE_BYTES)) : null;
}

/**
 * The name below the icon: CFBundleDisplayName, else the names in the development language, else CFBundleName, else the
 * name of the executable, else that of the folder. An unreplaced build setting such as `$(PRODUCT_NAME)` counts as absent.
 */
async function displayName(archive: Archive, folder: string, info: PlistDictionary): Promise<string> {
  const declared = nameUnder(info, "CFBundleDisplayName");
  if (declared) return declared;
  const localized = await readStrings(archive, folder, textOf(info, "CFBundleDevelopmentRegion"));
  return (
    nameUnder(localized, "CFBundleDisplayName") ??
    nameUnder(localized, "CFBundleName") ??
    nameUnder(info, "CFBundleName") ??
    nameUnder(info, "CFBundleExecutable") ??
    folder.slice(PAYLOAD.length, -(APP_SUFFIX.length + 1))
  );
}

function nameUnder(dictionary: PlistDictionary, key: string): string | null {
  const name = textOf(dictionary, key);
  return name && !/\$[({]/.test(name) ? name : null;
}

/** InfoPlist.strings in the development language of the app; empty when there is none or it is malformed. */
async function readStrings(archive: Archive, folder: string, region: string | null): Promise<PlistDictionary> {
  const files = stringsFiles(archive, folder);
  for (const language of [...(region ? languagesOf(region) : []), "Base", "en", "English"]) {
    const entry = files.get(language.toLowerCase());
    if (!entry || entry.uncompressedSize > MAX_PLIST_BYTES) continue;
    try {
      const bytes = await readOptional(archive, entry, MAX_PLIST_BYTES);
      if (bytes) return parsePlistDictionary(bytes);
    } catch (error) {
      if (!(error instanceof PlistError)) throw error;
    }
  }
  return new Map();
}

/** InfoPlist.strings of each language, by its name in lower case. */
function stringsFiles(archive: Archive, folder: string): Map<string, ArchiveEntry> {
  const files = new Map<string, ArchiveEntry>();
  for (const entry of archive.entries.values()) {
    if (!entry.name.startsWith(folder)) continue;
    const language = /^([^/]+)\.lproj\/InfoPlist\.strings$/.exec(entry.name.slice(folder.length))?.[1];
    if (language && !files.has(language.toLowerCase())) files.set(language.toLowerCase(), entry);
  }
  return files;
}

function deviceFamilies(info: PlistDictionary): IpaInstaller["deviceFamilies"] {
  const declared = arrayOf(info, "UIDeviceFamily").map((family) => DEVICE_FAMILIES.get(asText(family) ?? ""));
  const platforms = arrayOf(info, "CFBundleSupportedPlatforms").map((name) =>
    PLATFORM_FAMILIES.get(asText(name) ?? ""),
  );
  const known = [declared, platforms].map((families) => families.filter((family) => family !== undefined));
  return [...new Set(known.find((families) => families.length > 0) ?? [])];
}

/** The largest icon file that Info.plist names, else the iTunes artwork, else the icon of the asset catalog. */
async function findIcon(
  archive: Archive,
  folder: string,
  info: PlistDictionary,
  signal: AbortSignal,
): Promise<InstallerIcon | null> {
  const { names, assetName } = declaredIcons(info);
  const declared = await largestIcon(archive, iconFiles(archive, folder, names), signal);
  if (declared) return declared;

  const artwork = ["iTunesArtwork@2x", "iTunesArtwork"].map((name) => archive.entries.get(name));
  for (const entry of artwork.filter((entry) => entry !== undefined)) {
    const icon = await readIconFile(archive, entry, signal);
    if (icon) return icon;
  }

  const catalog = archive.entries.get(`${folder}Assets.car`);
  if (!catalog || Math.max(catalog.uncompressedSize, catalog.compressedSize) > MAX_CATALOG_BYTES) return null;
  const bytes = await readOptional(archive, catalog, MAX_CATALOG_BYTES);
  return bytes && readCatalogIcon(bytes, assetName, signal);
}

/** The names of the primary icon in Info.plist, for all devices and for the iPad, in current and in older keys. */
function declaredIcons(info: PlistDictionary): { names: Set<string>; assetName: string | null } {
  const primary = ["CFBundleIcons", "CFBundleIcons~ipad"].map((key) =>
    dictionaryOf(dictionaryOf(info, key), "CFBundlePrimaryIcon"),
  );
  const lists = [
    ...primary.flatMap((icon) => arrayOf(icon, "CFBundleIconFiles")),
    ...["CFBundleIconFiles", "CFBundleIconFiles~ipad", "CFBundleIconFile"].flatMap((key) => arrayOf(info, key)),
  ];
  const names = lists.map(asText).filter((name) => name !== null);
  return {
    names: new Set(names.length > 0 ? names : ["Icon"]),
    assetName: primary.map((icon) => textOf(icon, "CFBundleIconName")).find((name) => name !== null) ?? null,
  };
}

interface IconFile {
  entry: ArchiveEntry;
  /** Width in pixels according to the file name ("60x60@3x" is 180); null when the name contains no size. */
  nominalSize: number | null;
}

/** The files for the declared names, which may lack suffixes such as ".png", "@2x" and "~ipad". */
function iconFiles(archive: Archive, folder: string, names: ReadonlySet<string>): IconFile[] {
  const files: IconFile[] = [];
  const wanted = new Set([...names].map((name) => name.normalize()));
  for (const { entry, paths } of appFiles(archive, folder)) {
    if (entry.uncompressedSize > MAX_ICON_BYTES) continue;
    const file = paths.map(iconName).find(({ forms }) => forms.some((form) => wanted.has(form)));
    if (file) files.push({ entry, nominalSize: file.nominalSize });
  }
  return files;
}

/** How Info.plist may name an icon file, and its width in pixels if the name contains it. */
function iconName(file: string): { forms: string[]; nominalSize: number | null } {
  const stem = file.replace(/\.png$/i, "");
  const plain = stem.replace(/~(?:ipad|iphone)$/, "");
  const base = plain.replace(/@[1-9]x$/, "");
  const scale = base === plain ? 1 : Number(plain.at(-2));
  const points = /x(\d{1,4}(?:\.\d)?)$/.exec(base)?.[1];
  const nominalSize = points === undefined ? null : Number(points) * scale;
  return { forms: [file, stem, plain, base, `${base}.png`], nominalSize };
}

/** The largest of the icon files. Files whose names contain a size are read only until the largest valid one. */
async function largestIcon(archive: Archive, files: IconFile[], signal: AbortSignal): Promise<InstallerIcon | null> {
  const sized = files.filter(({ nominalSize }) => nominalSize !== null);
  const unsized = files.filter(({ nominalSize }) => nominalSize === null);
  sized.sort((a, b) => (b.nominalSize as number) - (a.nominalSize as number));
  unsized.sort((a, b) => b.entry.uncompressedSize - a.entry.uncompressedSize);

  const read = async ({ entry }: IconFile) => {
    const bytes = await readOptional(archive, entry, MAX_ICON_BYTES);
    return { bytes: bytes ?? new Uint8Array(), pixels: (bytes && pngSize(bytes)?.width) ?? 0 };
  };
  const candidates: { bytes: Uint8Array; pixels: number }[] = [];
  for (const file of unsized.slice(0, MAX_ICON_CANDIDATES)) candidates.push(await read(file));
  // A damaged file does not hide the next one.
  for (const file of [...sized.slice(0, MAX_ICON_CANDIDATES), null]) {
    const next = file && (await read(file));
    if (next) candidates.push(next);
    if (next?.pixels === 0) continue;
    candidates.sort((a, b) => b.pixels - a.pixels);
    for (const { bytes } of candidates.splice(0)) {
      const icon = await readIcon(bytes, signal);
      if (icon) return icon;
    }
  }
  return null;
}

async function readIconFile(archive: Archive, entry: ArchiveEntry, signal: AbortSignal): Promise<InstallerIcon | null> {
  if (entry.uncompressedSize > MAX_ICON_BYTES) return null;
  const bytes = await readOptional(archive, entry, MAX_ICON_BYTES);
  return bytes && readIcon(bytes, signal);
}
