import type { InstallerDetails } from "./schema";
import type { InstallerKind, IpaInstaller, ProfileType } from "./types";
import { compareVersions } from "./versions";

const DAY_MS = 86_400_000;
/** A profile that expires within this many days is mentioned in the notes. */
const PROFILE_NOTE_DAYS = 14;
/** From this version on, iOS runs apps with a development profile only in developer mode. */
const DEVELOPER_MODE_SINCE = "16.0";

/** A device on which somebody wants to install an app. */
export interface Device {
  os: "ios" | "ipados" | "android" | "desktop";
  /** The version of iOS or iPadOS ("17.5") or Android's API level ("34"); null if it is not known. */
  osVersion: string | null;
}

/** The properties of an installer that decide where it installs. */
export interface InstallFacts {
  kind: InstallerKind;
  profileType: ProfileType | null;
  /** ISO 8601 UTC. */
  profileExpiry: string | null;
  /** The number of devices that the profile lists. */
  deviceCount: number | null;
  deviceFamilies: IpaInstaller["deviceFamilies"];
  /** An iOS version or an Android API level. */
  minOs: string | null;
  /** It is one of a set of split APKs. */
  split: boolean;
  signed: boolean;
}

/** Why an installer does not install: on no device at all, or not on this one. */
export type InstallRefusal =
  /** An Android installer on an iPhone or iPad. */
  | "android-only"
  /** An iOS installer on an Android device. */
  | "ios-only"
  | "app-store-profile"
  | "expired-profile"
  | "no-profile"
  /** Built for watches, televisions, … only. */
  | "other-device"
  | "ipad-only"
  | "old-system"
  /** An Android App Bundle, from which a store generates the APKs that devices install. */
  | "bundle"
  | "split"
  | "unsigned";

/** What a person should know before installing. */
export type InstallNote =
  | { kind: "registered-devices"; count: number }
  | { kind: "ends-soon"; at: string }
  | { kind: "trust-developer" }
  | { kind: "developer-mode" }
  | { kind: "unknown-sources" };

/** The answer to "does this install on that device?". */
export type Installability<Refusal extends string = InstallRefusal> =
  /** It installs on this device: on iOS by an itms-services link, on Android by opening the downloaded APK. */
  | { verdict: "install"; way: "itms-services" | "apk"; notes: InstallNote[] }
  /** This device is a computer; the installer is for phones and tablets. */
  | { verdict: "other-device"; on: "ios" | "android"; notes: InstallNote[] }
  | {
      verdict: "refused";
      reason: Refusal;
      /** The browser may report an older system than the device has, so that the installation may still succeed. */
      uncertain: boolean;
    };

export interface InstallabilityOptions<Policy extends string = never> {
  now: Date;
  /** A refusal of the distributor's own. It ranks below what the file rules out and above what this device rules out. */
  policy?: Policy | null;
}

/**
 * The properties that decide where an installer installs.
 * @param minOs the lowest system that installs it, as in `Installer`
 */
export function installFacts(installer: InstallerDetails, minOs: string | null): InstallFacts {
  if (installer.kind === "ipa") {
    const { kind, profileType, profileExpiry, deviceCount, deviceFamilies } = installer;
    return { kind, minOs, profileType, profileExpiry, deviceCount, deviceFamilies, split: false, signed: true };
  }
  const { kind, split, signingSha256 } = installer;
  const noProfile = { profileType: null, profileExpiry: null, deviceCount: null, deviceFamilies: [] };
  return { kind, minOs, ...noProfile, split, signed: signingSha256.length > 0 };
}

/** Decides whether an installer installs on a device, and why not. */
export function installability<Policy extends string = never>(
  app: InstallFacts,
  device: Device,
  { now, policy = null }: InstallabilityOptions<Policy>,
): Installability<InstallRefusal | Policy> {
  const reason = systemRefusal(app, device) ?? fileRefusal(app, now) ?? policy ?? deviceRefusal(app, device);
  if (reason) return { verdict: "refused", reason, uncertain: reason === "old-system" };
  const ios = app.kind === "ipa";
  const notes: InstallNote[] = ios ? iosNotes(app, device, now) : [{ kind: "unknown-sources" }];
  if (device.os === "desktop") return { verdict: "other-device", on: ios ? "ios" : "android", notes };
  return { verdict: "install", way: ios ? "itms-services" : "apk", notes };
}

function systemRefusal({ kind }: InstallFacts, { os }: Device): InstallRefusal | null {
  if (kind !== "ipa" && (os === "ios" || os === "ipados")) return "android-only";
  return kind === "ipa" && os === "android" ? "ios-only" : null;
}

/** Why no device installs the file. */
function fileRefusal(app: InstallFacts, now: Date): InstallRefusal | null {
  if (app.kind !== "ipa") return app.kind === "aab" ? "bundle" : app.split ? "split" : app.signed ? null : "unsigned";
  const { profileType, profileExpiry, deviceFamilies } = app;
  const mobile =
    deviceFamilies.length === 0 || deviceFamilies.some((family) => family === "iphone" || family === "ipad");
  if (!mobile) return "other-device";
  if (profileType === null) return "no-profile";
  if (profileType === "app-store") return "app-store-profile";
  return profileExpiry !== null && Date.parse(profileExpiry) <= now.getTime() ? "expired-profile" : null;
}

/** Why this device does not install a file that others install. */
function deviceRefusal({ deviceFamilies, minOs }: InstallFacts, device: Device): InstallRefusal | null {
  if (device.os === "ios" && deviceFamilies.length > 0 && !deviceFamilies.includes("iphone")) return "ipad-only";
  if (minOs !== null && device.osVersion !== null && compareVersions(device.osVersion, minOs) < 0) return "old-system";
  return null;
}

function iosNotes({ profileType, profileExpiry, deviceCount }: InstallFacts, device: Device, now: Date): InstallNote[] {
  const notes: InstallNote[] = [];
  if (deviceCount !== null) notes.push({ kind: "registered-devices", count: deviceCount });
  if (profileExpiry !== null && Date.parse(profileExpiry) - now.getTime() <= PROFILE_NOTE_DAYS * DAY_MS) {
    notes.push({ kind: "ends-soon", at: profileExpiry });
  }
  if (profileType === "enterprise") notes.push({ kind: "trust-developer" });
  const newEnough = device.osVersion === null || compareVersions(device.osVersion, DEVELOPER_MODE_SINCE) >= 0;
  if (profileType === "development" && newEnough) notes.push({ kind: "developer-mode" });
  return notes;
}

/** When an app's provisioning profile expires. */
export interface ProfileEnd {
  date: Date;
  /** Whole days until then; negative once it has expired. */
  daysLeft: number;
}

/**
 * The expiry of an installer's provisioning profile, after which devices neither install nor open the app.
 * @returns null if there is no profile, it does not expire, or it is an App Store profile, which devices never see
 */
export function profileEnd(installer: InstallerDetails, now: Date): ProfileEnd | null {
  if (installer.kind !== "ipa" || installer.profileType === "app-store" || !installer.profileExpiry) return null;
  const date = new Date(installer.profileExpiry);
  return { date, daysLeft: Math.floor((date.getTime() - now.getTime()) / DAY_MS) };
}
