/** The installer formats that the package reads. */
export const INSTALLER_KINDS = ["ipa", "apk", "aab"] as const;
export type InstallerKind = (typeof INSTALLER_KINDS)[number];

/** The distribution types of provisioning profiles, which decide on which devices an app runs. */
export const PROFILE_TYPES = ["development", "ad-hoc", "enterprise", "app-store"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

/** A value of an entitlements dictionary as JSON: dates and data are strings. */
export type EntitlementValue = string | number | boolean | EntitlementValue[] | { [key: string]: EntitlementValue };

/** The icon of an app in an image format that every browser shows. */
export interface InstallerIcon {
  bytes: Uint8Array;
  contentType: "image/png" | "image/webp" | "image/jpeg";
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

interface InstallerCommon {
  /** Bundle identifier (iOS) or package name (Android). */
  identifier: string;
  /** The name below the icon on a device. */
  displayName: string;
  /** CFBundleShortVersionString or versionName. */
  version: string;
  /** CFBundleVersion or versionCode, in decimal. */
  buildNumber: string;
  /** The lowest system version that installs it: an iOS version ("14.3") or an Android API level ("21"). */
  minOs: string | null;
  /** SHA-256 of each signing certificate (DER) in lower-case hex, in the order of the file. */
  signingSha256: string[];
  icon: InstallerIcon | null;
}

export interface IpaInstaller extends InstallerCommon {
  kind: "ipa";
  /** UIDeviceFamily. */
  deviceFamilies: ("iphone" | "ipad" | "tv" | "watch" | "vision" | "mac")[];
  /** The version of the SDK that built it (DTPlatformVersion). */
  sdkVersion: string | null;
  profileName: string | null;
  profileType: ProfileType | null;
  /** Ten-character team identifier of the profile. */
  team: string | null;
  teamName: string | null;
  /** ISO 8601 UTC. */
  profileCreated: string | null;
  /** ISO 8601 UTC. */
  profileExpiry: string | null;
  /** The number of devices that the profile lists; null for enterprise and App Store profiles. Device identifiers are not kept. */
  deviceCount: number | null;
  entitlements: { [key: string]: EntitlementValue };
}

export interface AndroidInstaller extends InstallerCommon {
  kind: "apk" | "aab";
  /** Android API level. */
  minSdk: number | null;
  /** Android API level. */
  targetSdk: number | null;
  permissions: string[];
  /** Folders below lib/, such as "arm64-v8a"; empty for an app without native code. */
  abis: string[];
  /** The APK signature schemes that are present; "v1" is JAR signing. */
  signatureSchemes: ("v1" | "v2" | "v3" | "v3.1")[];
  /** It is one of a set of split APKs and does not install on its own. */
  split: boolean;
  debuggable: boolean;
}

/** The result of inspecting an installer. */
export type Installer = IpaInstaller | AndroidInstaller;
