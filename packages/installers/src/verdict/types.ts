import type {
  AndroidDeviceType,
  AndroidInstaller,
  ExecutablePlatform,
  InstallerKind,
  IpaInstaller,
  ProfileType,
} from "../types";

/** What decides where an installer installs. A value that is null, or a list that is empty, is not known. */
export type InstallerFacts = IpaFacts | ApkFacts;

interface CommonFacts {
  /** Bundle identifier or package name. */
  identifier: string;
  /** An iOS version or an Android API level. */
  minOs: string | null;
  /** CFBundleVersion or versionCode. */
  buildNumber: string;
  /** SHA-256 of each signing certificate; empty for an Android installer that is not signed. */
  signingSha256: readonly string[];
}

export interface IpaFacts extends CommonFacts {
  kind: "ipa";
  ios: IosFacts;
}

export interface ApkFacts extends CommonFacts {
  kind: Exclude<InstallerKind, "ipa">;
  android: AndroidFacts;
}

export interface IosFacts {
  profileType: ProfileType | null;
  /** ISO 8601 UTC. */
  profileExpiry: string | null;
  /** The number of devices that the profile lists; null if it lists none by its type. */
  deviceCount: number | null;
  deviceFamilies: IpaInstaller["deviceFamilies"];
  signed: boolean | null;
  simulator: boolean | null;
  /** ISO 8601 UTC. */
  certificateExpiry: string | null;
  requiredCapabilities: readonly string[];
  architectures: readonly string[];
  /** Of the executable. */
  platforms: readonly ExecutablePlatform[];
  /** That the profile is for, such as "iOS". */
  profilePlatforms: readonly string[];
  /** The `application-identifier` of the profile. */
  profileIdentifier: string | null;
  unpackable: string | null;
}

export interface AndroidFacts {
  targetSdk: number | null;
  abis: readonly string[];
  signatureSchemes: readonly ("v1" | "v2" | "v3" | "v3.1")[];
  split: boolean;
  debuggable: boolean;
  testOnly: boolean | null;
  pageAligned: boolean | null;
  resourceTable: AndroidInstaller["resourceTable"] | null;
  unloadableAbis: readonly string[];
  previewCodename: string | null;
  requiredLibraries: readonly string[];
  deviceTypes: readonly AndroidDeviceType[];
  /** Null in facts of before it was read. */
  continuedSha256: readonly string[] | null;
}

export const DEVICE_SYSTEMS = ["ios", "ipados", "android", "desktop"] as const;
export type DeviceSystem = (typeof DEVICE_SYSTEMS)[number];

export const BROWSERS = ["safari", "chrome", "firefox", "in-app", "other"] as const;
export type BrowserName = (typeof BROWSERS)[number];

/** A device on which somebody wants to install an app. */
export interface DeviceFacts {
  os: DeviceSystem;
  /** The version of iOS or iPadOS ("17.5.1") or Android's API level ("34"); null if it is not known. */
  osVersion: string | null;
  /** The device has `osVersion` or a later one, because its browser no longer reports the version. */
  osVersionIsMinimum: boolean;
  /** Apple's identifier of the model ("iPhone15,2"), or the name that an Android device reports. */
  model: string | null;
  /** Android's names of what it runs, such as "arm64-v8a"; empty if it is not known. */
  abis: readonly string[];
  /** The device may run others than `abis`, of which its browser does not know. */
  abisAreSome?: boolean;
  /** Null if it is not known, or there is none. */
  browser: BrowserName | null;
  /** Whether the profile of the installer lists the device; null if that is not known. */
  registered: boolean | null;
}

/** What the console knows beside the file and the device. What is left out decides nothing. */
export interface ConsoleFacts {
  /** The person has the right to download the release. */
  mayDownload?: boolean;
  /** The installation on iPhones and iPads is turned on. */
  iosEnabled?: boolean;
  /** It is reached over HTTPS. */
  https?: boolean;
  /** The authority of its certificate is its own, which a device has to be told to trust. */
  ownAuthority?: boolean;
  /** Apple answered that the signing certificate is revoked. */
  certificateRevoked?: boolean;
  /** The entitlements that the app claims and its profile does not grant. */
  ungrantedEntitlements?: readonly string[];
  /** An APK for all devices was made from the bundle. */
  universalApk?: boolean;
  /** What the same person installed last of the same app. */
  installed?: { buildNumber: string; signingSha256: readonly string[] } | null;
}

/** All that a verdict is made of. */
export interface VerdictFacts<Installer extends InstallerFacts = InstallerFacts> {
  installer: Installer;
  device: DeviceFacts;
  console: ConsoleFacts;
  now: Date;
}

/** The weight of a reason, in the order in which reasons are listed. */
export const SEVERITIES = ["blocks", "unknown", "step", "note"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Values for the words of a reason. */
export type ReasonParams = Readonly<Record<string, string | number>>;

/** A rule of the table. */
export interface Rule<Code extends string = string, Installer extends InstallerFacts = InstallerFacts> {
  code: Code;
  /** Every severity that it can have. */
  severities: readonly Severity[];
  /** The page of the platform's documentation that says so, or what else it follows from. */
  source: string;
  /** @returns null where the rule does not apply, or what it depends on is not known and does not decide */
  judge(facts: VerdictFacts<Installer>): { severity: Severity; params?: ReasonParams } | null;
}

/** Declares the rules for some installers, with their codes as literal types. */
export function rulesFor<Installer extends InstallerFacts>() {
  return <const Code extends string>(table: readonly Rule<Code, Installer>[]) => table;
}
