import {
  type ConsoleFacts,
  type DeviceFacts,
  type Installer,
  type InstallerFacts,
  type InstallerKind,
  type InstallVerdict,
  installerFacts,
  installVerdict,
  type Reason,
  wordsKey,
} from "@slipway/installers";
import { isInstallCheck } from "@/lib/http/install-check-agent";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { fileNameProblem, listExtensions } from "@/lib/kernel/file-name";
import type { Messages } from "@/lib/kernel/i18n/translator";
import type { Release } from "./schema";

/** The kind of platform that an installer belongs to. */
export function platformKindOf(kind: InstallerKind): "ios" | "android" {
  return kind === "ipa" ? "ios" : "android";
}

/** Whether a platform of some kind accepts an installer. */
export function fitsPlatform(platformKind: "ios" | "android" | "other", kind: InstallerKind): boolean {
  return platformKind === "other" || platformKind === platformKindOf(kind);
}

/** The content types of installers. */
export function installerContentType(kind: InstallerKind): string {
  return kind === "apk" ? "application/vnd.android.package-archive" : "application/octet-stream";
}

/**
 * Refuses the name of a download whose extension is that of another kind of installer. Some devices recognize the type by it.
 * @param fileName null or undefined: the name that the file was uploaded with
 * @throws ApiError validation_failed
 */
export function requireFileName(fileName: string | null | undefined, kind: InstallerKind): void {
  const problem = fileName ? fileNameProblem(fileName, [kind]) : null;
  if (problem) throw invalidField("fileName", problem, { extensions: listExtensions([kind]) });
}

/**
 * Refuses the installer of another app. Bundle IDs and package names are case-sensitive, as on devices.
 * @param accepted the app's identifier and the environment's further identifiers
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

/**
 * Whether a response starts a download. Devices and download managers fetch one file in many ranges; only the range
 * that starts at the first byte is counted. The install check is no download.
 */
export function beginsDownload(request: { method: string; headers: Headers }, status: number): boolean {
  if (request.method !== "GET" || ![200, 206, 302].includes(status)) return false;
  if (isInstallCheck(request.headers.get("user-agent"))) return false;
  // If the condition (If-Range) does not hold, the whole file is sent instead of the range.
  return status === 200 || /^\s*bytes\s*=\s*0+-|^(?!\s*bytes\s*=)/i.test(request.headers.get("range") ?? "");
}

/** The family of the browsers of Android, and of what downloads for them. */
export const ANDROID_FAMILY = "Android";

/** Families of clients by a part of their User-Agent; the first match counts. */
const FAMILIES: readonly [RegExp, string][] = [
  [/\b(?:com\.apple\.appstored|itunesstored|StoreKitUIService)\b/i, "iOS installer"],
  [/\bslipway\b/i, "Slipway CLI"],
  [/\bcurl\//i, "curl"],
  [/\bwget\//i, "Wget"],
  [/\biPad\b/, "iPad"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\bAndroidDownloadManager\b|\bAndroid\b/, ANDROID_FAMILY],
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Chrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** The family of a User-Agent, so that downloads can be grouped without storing data that identifies a device. */
export function userAgentFamily(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  return FAMILIES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "other";
}

/** The properties of a release that decide where it installs. */
export type ReleaseInstallFacts = InstallerFacts & {
  /** iPhones and iPads are allowed to install it. */
  iosEnabled: boolean;
  /** The console is reached over HTTPS. */
  https: boolean;
  /** What the console knows beside the release; nothing where lists show it. */
  known?: ConsoleFacts;
  /** The console has an APK for all devices of the bundle. */
  universalApk: boolean;
};

/** Whether devices install a release: an app bundle only by the APK that the console made of it. */
export function hasDeviceFile({ installer, universal }: Pick<Release, "installer" | "universal">): boolean {
  return installer.kind !== "aab" || universal?.state === "ready";
}

/**
 * The file that a link to one file of a build gives to a device: the linked one if devices of its system install it, and otherwise the
 * build's file that is for them. A bundle is given only if there is nothing else. A computer gets the linked one.
 * @param files of the build
 */
export function fileForDevice<File extends Pick<Release, "installer" | "universal">>(
  linked: File,
  files: readonly File[],
  { os }: Pick<DeviceFacts, "os">,
): File {
  if (os === "desktop") return linked;
  const system = os === "android" ? "android" : "ios";
  const ofSystem = [linked, ...files].filter(({ installer }) => platformKindOf(installer.kind) === system);
  const isBundle = ({ installer }: File) => installer.kind === "aab";
  return ofSystem.find((file) => !isBundle(file)) ?? ofSystem.find(hasDeviceFile) ?? ofSystem[0] ?? linked;
}

/** The properties of a release that decide where it installs. */
export function releaseInstallFacts({
  installer,
  identifier,
  iosEnabled,
  minOs,
  buildNumber,
  installUrl,
  universal,
  installFacts: known,
}: Pick<Release, "installer" | "identifier" | "iosEnabled" | "minOs" | "buildNumber" | "installUrl" | "universal"> & {
  installFacts?: ConsoleFacts;
}): ReleaseInstallFacts {
  const universalApk = universal?.state === "ready";
  // Devices get the APK, which is not signed with the key that the bundle was uploaded with.
  const apkSigner = universalApk ? universal.signingSha256 : null;
  return {
    ...installerFacts(installer, { identifier, minOs, buildNumber }),
    ...(apkSigner !== null && { signingSha256: [apkSigner] }),
    iosEnabled,
    https: installUrl.startsWith("https:"),
    universalApk,
    ...(known && { known }),
  };
}

/** Whether a release installs on a device, why not, and what is to be done. */
export interface ReleaseVerdict extends InstallVerdict {
  /** The gravest reason for which it does not install; null if it does, or that is not known. */
  refusal: Reason | null;
  /** The other reasons that a person should know before installing. */
  notes: Reason[];
}

/**
 * Decides whether a release installs on a device.
 *
 * @param options.mayDownload whether the person has the right to download it
 */
export function releaseVerdict(
  release: ReleaseInstallFacts,
  device: DeviceFacts,
  { now, mayDownload }: { now: Date; mayDownload: boolean },
): ReleaseVerdict {
  const { iosEnabled, https, universalApk, known } = release;
  const ofConsole = { ...known, iosEnabled, https, universalApk, mayDownload };
  const verdict = installVerdict(release, device, { now, console: ofConsole });
  const [first] = verdict.reasons;
  return {
    ...verdict,
    refusal: first?.severity === "blocks" ? first : null,
    notes: verdict.reasons.filter(({ code, severity }) => severity !== "blocks" && code !== "desktop"),
  };
}

/** The keys of the words of reasons, below `install.reasons`. */
export type ReasonKey = keyof Messages["install"]["reasons"];

/** Notes on what only those who publish can change. */
const FOR_PUBLISHERS: readonly Reason["code"][] = ["debuggable", "page_size", "developer_verification"];

/** The notes that are of use to somebody who installs. */
export function notesForTesters(notes: readonly Reason[]): Reason[] {
  return notes.filter(({ code }) => !FOR_PUBLISHERS.includes(code));
}

/** The key of the words of a reason, as the compiler checks it. */
export function reasonKey(reason: Pick<Reason, "code" | "params" | "severity">): ReasonKey {
  return wordsKey(reason) as ReasonKey;
}
