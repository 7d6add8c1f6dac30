/** The installer formats that the product distributes. */
export const INSTALLER_KINDS = ["ipa", "apk", "aab"] as const;
export type InstallerKind = (typeof INSTALLER_KINDS)[number];

/** What kind of provisioning profile an .ipa carries; it decides on which devices the app may run. */
export const PROFILE_TYPES = ["development", "ad-hoc", "enterprise", "app-store"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

/** A value of an entitlements dictionary: what a property list can hold, dates and data as strings. */
export type EntitlementValue = string | number | boolean | EntitlementValue[] | { [key: string]: EntitlementValue };

/** The app's icon as an ordinary image that every browser shows. */
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
  /** The name that the device shows under the icon. */
  displayName: string;
  /** CFBundleShortVersionString or versionName. */
  version: string;
  /** CFBundleVersion or versionCode, in decimal. */
  buildNumber: string;
  /** The lowest system that installs it: an iOS version ("14.3") or an Android API level ("21"). */
  minOs: string | null;
  /** Lower-case hex SHA-256 of the signing certificates (DER), in the file's order. */
  signingSha256: string[];
  icon: InstallerIcon | null;
}

export interface IpaInstaller extends InstallerCommon {
  kind: "ipa";
  /** UIDeviceFamily in words. */
  deviceFamilies: ("iphone" | "ipad" | "tv" | "watch" | "vision" | "mac")[];
  /** The SDK that it was built with (DTPlatformVersion). */
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
  /** How many devices the profile names; null where it names none (enterprise, App Store). The devices themselves are never kept. */
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
  /** Folders below lib/: "arm64-v8a", …; empty where it holds no native code. */
  abis: string[];
  /** The APK signature schemes that are present ("v1" for JAR signing). */
  signatureSchemes: ("v1" | "v2" | "v3" | "v3.1")[];
  /** True where the file is one of a set of split APKs and does not install alone. */
  split: boolean;
  debuggable: boolean;
}

/** What was read from an installer file. */
export type Installer = IpaInstaller | AndroidInstaller;
