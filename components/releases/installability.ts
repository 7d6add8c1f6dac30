import type { IpaInstaller, ProfileType } from "@slipway/installers";
import type { Release } from "@/lib/features/releases/schema";
import { compareVersions, type Device } from "./device";

/** What decides whether a release can be installed. */
export interface InstallFacts {
  kind: Release["installer"]["kind"];
  /** The flag that lets iPhones and iPads install it. */
  iosEnabled: boolean;
  profileType: ProfileType | null;
  /** ISO 8601 UTC. */
  profileExpiry: string | null;
  /** How many devices the profile names. */
  deviceCount: number | null;
  deviceFamilies: IpaInstaller["deviceFamilies"];
  /** An iOS version or an Android API level. */
  minOs: string | null;
  /** It is one of a set of APKs. */
  split: boolean;
  signed: boolean;
  /** The console is reached over HTTPS. */
  https: boolean;
}

/** Why a release cannot be installed, by what it is or by where it is opened. */
export type Refusal =
  /** The role does not reach downloads. */
  | "not-allowed"
  /** An installer of Android on an iPhone or iPad. */
  | "android-only"
  /** An installer of iOS on an Android device. */
  | "ios-only"
  | "ios-disabled"
  | "app-store-profile"
  | "expired-profile"
  | "no-profile"
  | "needs-https"
  /** Made for watches or televisions. */
  | "other-device"
  | "ipad-only"
  | "old-system"
  /** An Android App Bundle, from which a store makes what devices install. */
  | "bundle"
  | "split"
  | "unsigned";

/** What a person should know before they install. */
export type InstallNote =
  | { kind: "registered-devices"; count: number }
  | { kind: "ends-soon"; at: string }
  | { kind: "trust-developer" }
  | { kind: "developer-mode" }
  | { kind: "unknown-sources" }
  | { kind: "in-app-browser" };

export type Installability =
  /** This device installs it: iOS by a link of its own, Android by opening the download. */
  | { verdict: "install"; way: "itms-services" | "apk"; notes: InstallNote[] }
  /** It can be installed, but not on this device: a phone opens the same page. */
  | { verdict: "other-device"; on: "ios" | "android"; notes: InstallNote[] }
  | {
      verdict: "refused";
      reason: Refusal;
      /** The device may know better: what is known of it is not certain. */
      uncertain: boolean;
    };

const DAY_MS = 86_400_000;
/** A profile that ends within so many days is worth a word. */
const SOON_DAYS = 14;
/** From this version on, iOS runs apps of development profiles in developer mode alone. */
const DEVELOPER_MODE_SINCE = "16.0";

/** What of a release decides whether it can be installed. */
export function installFacts(
  release: Pick<Release, "installer" | "iosEnabled" | "minOs" | "installUrl">,
): InstallFacts {
  const { installer, iosEnabled, minOs, installUrl } = release;
  const common = { kind: installer.kind, iosEnabled, minOs, https: installUrl.startsWith("https:") };
  if (installer.kind === "ipa") {
    const { profileType, profileExpiry, deviceCount, deviceFamilies } = installer;
    return { ...common, profileType, profileExpiry, deviceCount, deviceFamilies, split: false, signed: true };
  }
  return {
    ...common,
    profileType: null,
    profileExpiry: null,
    deviceCount: null,
    deviceFamilies: [],
    split: installer.split,
    signed: installer.signingSha256.length > 0,
  };
}

/**
 * Says what happens when somebody wants to install a release on a device: it installs, it needs another device, or why
 * it cannot be.
 *
 * @param options.now the present
 * @param options.mayDownload whether the person holds the right to download it
 */
export function installability(
  release: InstallFacts,
  device: Device,
  options: { now: Date; mayDownload: boolean },
): Installability {
  const ios = release.kind === "ipa";
  const reason = refusal(release, device, options);
  if (reason) return { verdict: "refused", reason, uncertain: reason === "old-system" };
  const notes = ios ? iosNotes(release, device, options.now) : androidNotes(device);
  if (device.os === "desktop") return { verdict: "other-device", on: ios ? "ios" : "android", notes };
  return { verdict: "install", way: ios ? "itms-services" : "apk", notes };
}

function refusal(
  release: InstallFacts,
  device: Device,
  { now, mayDownload }: { now: Date; mayDownload: boolean },
): Refusal | null {
  const ios = release.kind === "ipa";
  const onApple = device.os === "ios" || device.os === "ipados";
  if (!ios && onApple) return "android-only";
  if (ios && device.os === "android") return "ios-only";
  const byItself = ios ? iosRefusal(release, now) : androidRefusal(release);
  if (byItself) return byItself;
  if (!mayDownload) return "not-allowed";
  const { deviceFamilies, minOs } = release;
  if (device.os === "ios" && deviceFamilies.length > 0 && !deviceFamilies.includes("iphone")) return "ipad-only";
  if (minOs !== null && device.osVersion !== null && compareVersions(device.osVersion, minOs) < 0) return "old-system";
  return null;
}

/** Why no iPhone or iPad installs it; what nobody can change here comes first. */
function iosRefusal(release: InstallFacts, now: Date): Refusal | null {
  const { profileType, profileExpiry, deviceFamilies, iosEnabled, https } = release;
  const mobile =
    deviceFamilies.length === 0 || deviceFamilies.some((family) => family === "iphone" || family === "ipad");
  if (!mobile) return "other-device";
  if (profileType === null) return "no-profile";
  if (profileType === "app-store") return "app-store-profile";
  if (profileExpiry !== null && Date.parse(profileExpiry) <= now.getTime()) return "expired-profile";
  if (!iosEnabled) return "ios-disabled";
  return https ? null : "needs-https";
}

function androidRefusal({ kind, split, signed }: InstallFacts): Refusal | null {
  if (kind === "aab") return "bundle";
  if (split) return "split";
  return signed ? null : "unsigned";
}

function iosNotes(release: InstallFacts, device: Device, now: Date): InstallNote[] {
  const { profileType, profileExpiry, deviceCount } = release;
  const notes: InstallNote[] = [];
  if (device.inAppBrowser) notes.push({ kind: "in-app-browser" });
  if (deviceCount !== null) notes.push({ kind: "registered-devices", count: deviceCount });
  if (profileExpiry !== null && Date.parse(profileExpiry) - now.getTime() <= SOON_DAYS * DAY_MS) {
    notes.push({ kind: "ends-soon", at: profileExpiry });
  }
  if (profileType === "enterprise") notes.push({ kind: "trust-developer" });
  const newEnough = device.osVersion === null || compareVersions(device.osVersion, DEVELOPER_MODE_SINCE) >= 0;
  if (profileType === "development" && newEnough) notes.push({ kind: "developer-mode" });
  return notes;
}

function androidNotes(device: Device): InstallNote[] {
  const notes: InstallNote[] = [{ kind: "unknown-sources" }];
  return device.inAppBrowser ? [{ kind: "in-app-browser" }, ...notes] : notes;
}
