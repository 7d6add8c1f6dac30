import { isDeepStrictEqual } from "node:util";
import type { Installer, InstallerDetails, InstallerKind } from "@slipway/installers";
import { ApiError } from "@/lib/kernel/errors";
import { MAX_VERSION, type ReleaseChanges } from "./schema";

/** The longest text of `minOs`, in characters. */
const MAX_MIN_OS = 30;
/** The details of an ordinary app take some kilobytes, in JSON; they come with every list. */
const MAX_DETAILS_CHARACTERS = 256 * 1024;

/** The kind of platform that an installer belongs to. */
export function platformKindOf(kind: InstallerKind): "ios" | "android" {
  return kind === "ipa" ? "ios" : "android";
}

/** Whether releases of a kind of platform may be made of an installer. */
export function fitsPlatform(platformKind: "ios" | "android" | "other", kind: InstallerKind): boolean {
  return platformKind === "other" || platformKind === platformKindOf(kind);
}

/** What installers are served as. */
export function installerContentType(kind: InstallerKind): string {
  return kind === "apk" ? "application/vnd.android.package-archive" : "application/octet-stream";
}

/**
 * The name under which an installer is saved: as it was wished, or as it came. Its extension is always there, for the
 * devices that go by it.
 */
export function downloadName(fileName: string, kind: InstallerKind): string {
  return fileName.toLowerCase().endsWith(`.${kind}`) ? fileName : `${fileName}.${kind}`;
}

/** @throws ApiError invalid_installer where it says of itself more than can be kept */
export function requireKeepable(installer: Installer, details: InstallerDetails): void {
  const { version, buildNumber, minOs } = installer;
  if (
    version.length > MAX_VERSION ||
    buildNumber.length > MAX_VERSION ||
    (minOs?.length ?? 0) > MAX_MIN_OS ||
    JSON.stringify(details).length > MAX_DETAILS_CHARACTERS
  ) {
    throw new ApiError("invalid_installer");
  }
}

/**
 * Refuses the installer of another app. Bundle IDs and package names are compared as devices compare them, with case.
 * @param accepted the app's own identifier and those that the environment accepts besides
 * @throws ApiError identifier_mismatch
 */
export function requireIdentifier(found: string, accepted: readonly string[]): void {
  if (!accepted.includes(found)) {
    throw new ApiError("identifier_mismatch", { params: { found, expected: accepted.join(", ") } });
  }
}

/**
 * Refuses a version or build number that is not the installer's.
 * @throws ApiError version_mismatch
 */
export function requireVersion(
  given: { version?: string; buildNumber?: string },
  installer: Pick<Installer, "version" | "buildNumber">,
): void {
  for (const field of ["version", "buildNumber"] as const) {
    const [text, found] = [given[field], installer[field]];
    if (text !== undefined && text !== found)
      throw new ApiError("version_mismatch", { params: { given: text, found } });
  }
}

/** What is compared of two releases. */
export interface Comparable {
  id: string;
  version: string;
  buildNumber: string;
  deployDate: Date;
  /** Bytes. */
  size: number;
  minOs: string | null;
  installer: InstallerDetails;
}

function listChanges(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  return {
    added: after.filter((item) => !before.includes(item)).sort(),
    removed: before.filter((item) => !after.includes(item)).sort(),
  };
}

function permissionsOf(installer: InstallerDetails): string[] {
  return installer.kind === "ipa" ? [] : [...new Set(installer.permissions)];
}

function entitlementsOf(installer: InstallerDetails): Map<string, unknown> {
  return new Map(installer.kind === "ipa" ? Object.entries(installer.entitlements) : []);
}

function levelsOf({ minOs, installer }: Comparable): Record<ReleaseChanges["sdk"][number]["name"], string | null> {
  const ipa = installer.kind === "ipa";
  const text = (level: number | null) => (level === null ? null : String(level));
  return {
    minOs: ipa ? minOs : null,
    sdkVersion: ipa ? installer.sdkVersion : null,
    minSdk: ipa ? null : text(installer.minSdk),
    targetSdk: ipa ? null : text(installer.targetSdk),
  };
}

/** What a release changes against the one before it. */
export function compareReleases(before: Comparable, after: Comparable): ReleaseChanges {
  const [oldEntitlements, newEntitlements] = [entitlementsOf(before.installer), entitlementsOf(after.installer)];
  const [oldLevels, newLevels] = [levelsOf(before), levelsOf(after)];
  const names = Object.keys(newLevels) as (keyof typeof newLevels)[];
  return {
    previous: {
      id: before.id,
      version: before.version,
      buildNumber: before.buildNumber,
      deployDate: before.deployDate.toISOString(),
    },
    size: { before: before.size, after: after.size },
    permissions: listChanges(permissionsOf(before.installer), permissionsOf(after.installer)),
    entitlements: {
      ...listChanges([...oldEntitlements.keys()], [...newEntitlements.keys()]),
      changed: [...newEntitlements]
        .filter(([key, value]) => oldEntitlements.has(key) && !isDeepStrictEqual(oldEntitlements.get(key), value))
        .map(([key]) => key)
        .sort(),
    },
    sdk: names
      .filter((name) => oldLevels[name] !== newLevels[name])
      .map((name) => ({ name, before: oldLevels[name], after: newLevels[name] })),
  };
}

/**
 * Whether an answer begins a download: devices and download managers fetch one file in many ranges, of which the one
 * from the first byte is counted.
 */
export function beginsDownload(request: { method: string; headers: Headers }, status: number): boolean {
  if (request.method !== "GET" || ![200, 206, 302].includes(status)) return false;
  // A condition that does not hold turns a range into the whole file.
  return status === 200 || /^\s*bytes\s*=\s*0+-|^(?!\s*bytes\s*=)/i.test(request.headers.get("range") ?? "");
}

/** What fetches installers, by what its User-Agent holds; the first that fits counts. */
const FAMILIES: readonly [RegExp, string][] = [
  [/\b(?:com\.apple\.appstored|itunesstored|StoreKitUIService)\b/i, "iOS installer"],
  [/\bslipway\b/i, "Slipway CLI"],
  [/\bcurl\//i, "curl"],
  [/\bwget\//i, "Wget"],
  [/\biPad\b/, "iPad"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\bAndroidDownloadManager\b|\bAndroid\b/, "Android"],
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Chrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** The family of a User-Agent, so that downloads are told apart without keeping what identifies a device. */
export function userAgentFamily(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  return FAMILIES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "other";
}
