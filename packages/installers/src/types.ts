/** The systems that Apple's executables are built for. */
export const EXECUTABLE_PLATFORMS = ["ios", "tvos", "watchos", "visionos", "macos"] as const;
export type ExecutablePlatform = (typeof EXECUTABLE_PLATFORMS)[number];

/** The installer formats that the package reads. */
export const INSTALLER_KINDS = ["ipa", "apk", "aab"] as const;
export type InstallerKind = (typeof INSTALLER_KINDS)[number];

/** The distribution types of provisioning profiles, which decide on which devices an app runs. */
export const PROFILE_TYPES = ["development", "ad-hoc", "enterprise", "app-store"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

/** How the resource table of an APK is stored. */
export const RESOURCE_TABLE_STORAGE = ["aligned", "unaligned", "compressed"] as const;
export type ResourceTableStorage = (typeof RESOURCE_TABLE_STORAGE)[number];

/** Android devices other than phones and tablets. */
export const ANDROID_DEVICE_TYPES = ["watch", "tv", "car", "headset"] as const;
export type AndroidDeviceType = (typeof ANDROID_DEVICE_TYPES)[number];

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
  /** The number of devices that the profile lists; null for enterprise and App Store profiles. */
  deviceCount: number | null;
  /** The identifiers (UDID) of these devices, as the profile spells them. They are personal data, and no part of the stored details. */
  profileDevices: string[];
  entitlements: { [key: string]: EntitlementValue };
  /** It was built for the simulator. Like the following, it is absent in details that were stored before it was read. */
  simulator?: boolean | undefined;
  /** The app has a code signature; it is not verified. */
  signed?: boolean | undefined;
  /** When the last of the profile's certificates expires, ISO 8601 UTC. */
  certificateExpiry?: string | null | undefined;
  /** UIRequiredDeviceCapabilities that have to be present. */
  requiredCapabilities?: string[] | undefined;
  /** The keys of Info.plist by which the app says why it asks for something private, such as NSCameraUsageDescription. */
  usageDescriptions?: string[] | undefined;
  /** The architectures of the executable, such as "arm64"; empty if it cannot be read. */
  architectures?: string[] | undefined;
  /** The systems that the executable was built for; empty if it does not say. */
  platforms?: ExecutablePlatform[] | undefined;
  /** The systems that the profile is for, in Apple's words, such as "iOS" or "tvOS"; empty if it does not say. */
  profilePlatforms?: string[] | undefined;
  /** A file that no iPhone can unpack, because of its compression or encryption; null if there is none. */
  unpackable?: string | null | undefined;
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
  /** android:testOnly. Like the following, it is absent in details that were stored before it was read. */
  testOnly?: boolean | undefined;
  /** The 64-bit libraries are aligned to pages of 16 KB; null if it cannot be read. */
  pageAligned?: boolean | null | undefined;
  /** How resources.arsc is stored; null if there is none. Devices map it into memory as it is. */
  resourceTable?: ResourceTableStorage | null | undefined;
  /** False if the resource table is too large to be read: the name, the icon and other values that it holds are not known. */
  resourcesRead?: boolean | undefined;
  /**
   * The ABIs with a library that a device cannot load: android:extractNativeLibs is false, and the library is compressed or not
   * aligned to a page.
   */
  unloadableAbis?: string[] | undefined;
  /** The codename of a system in development that android:minSdkVersion or android:targetSdkVersion names. */
  previewCodename?: string | null | undefined;
  /** The shared libraries of the system without which it does not install. */
  requiredLibraries?: string[] | undefined;
  /** The kinds of devices that it is made for, by its required features; empty for phones and tablets. */
  deviceTypes?: AndroidDeviceType[] | undefined;
  /** SHA-256 of earlier signing certificates whose installed apps it updates, by a proof of rotation (schemes v3 and v3.1). */
  continuedSha256?: string[] | undefined;
}

/** The result of inspecting an installer. */
export type Installer = IpaInstaller | AndroidInstaller;
