import { compareVersions } from "../versions";
import { appleModel, is64Bit, missingCapabilities } from "./apple-models";
import { DAY_MS } from "./time";
import { type InstallerFacts, type IpaFacts, type Rule, rulesFor, type VerdictFacts } from "./types";

/** A profile that expires within this many days is mentioned. */
export const PROFILE_NOTE_DAYS = 14;
/** From this version on, iOS runs apps with a development profile only in Developer Mode. */
const DEVELOPER_MODE_SINCE = "16.0";
/** From this version on, trusting the developer of an enterprise app restarts the device. */
const RESTART_SINCE = "18.0";
/** From this version on, iOS runs no 32-bit code. */
const ONLY_64_BIT_SINCE = "11.0";

const isPast = (instant: string | null, now: Date) => instant !== null && Date.parse(instant) <= now.getTime();

/** Whether the device has a version or a later one; null if that is not known. */
function hasVersion({ device: { osVersion, osVersionIsMinimum } }: VerdictFacts, version: string): boolean | null {
  if (osVersion === null) return null;
  if (compareVersions(osVersion, version) >= 0) return true;
  return osVersionIsMinimum ? null : false;
}

/** Simulators run the code of the Mac that they are on; no iPhone or iPad runs that of an Intel processor. */
function isForSimulator({ installer: { ios } }: VerdictFacts<IpaFacts>): boolean {
  const intel = ios.architectures.length > 0 && ios.architectures.every((name) => /^(x86_64|i386)$/.test(name));
  const isForMac = ios.platforms.includes("macos");
  return ios.simulator === true || (intel && !isForMac);
}

/** The profiles of stores: a device gets the app from there. */
const isForStore = ({ installer: { ios } }: VerdictFacts<IpaFacts>) => ios.profileType === "app-store";

/** Rules of `.ipa` files, with the reasons of the file before those of the device. */
const IPA_RULES = rulesFor<IpaFacts>()([
  {
    code: "simulator_build",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/xcode/running-your-app-in-simulator-or-on-a-device",
    judge: (facts) => (isForSimulator(facts) ? { severity: "blocks" } : null),
  },
  {
    code: "device_family",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/bundleresources/information-property-list/uidevicefamily",
    judge({ installer: { ios }, device }) {
      const families = ios.deviceFamilies;
      // The code decides, whatever Info.plist says.
      if (ios.platforms.length > 0 && !ios.platforms.includes("ios"))
        return { severity: "blocks", params: { for: "other" } };
      if (families.length === 0) return null;
      if (!families.includes("iphone") && !families.includes("ipad"))
        return { severity: "blocks", params: { for: "other" } };
      // iPads install the apps of iPhones.
      return device.os === "ios" && !families.includes("iphone")
        ? { severity: "blocks", params: { for: "ipad" } }
        : null;
    },
  },
  {
    code: "no_profile",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/technotes/tn3125-inside-code-signing-provisioning-profiles",
    judge: ({ installer: { ios } }) => (ios.profileType === null ? { severity: "blocks" } : null),
  },
  {
    code: "app_store_build",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/xcode/distributing-your-app-for-beta-testing-and-releases",
    judge: (facts) => (isForStore(facts) ? { severity: "blocks" } : null),
  },
  {
    code: "profile_expired",
    severities: ["blocks"],
    source: "https://developer.apple.com/help/account/reference/provisioning-profile-updates",
    judge: (facts) =>
      !isForStore(facts) && isPast(facts.installer.ios.profileExpiry, facts.now) ? { severity: "blocks" } : null,
  },
  {
    code: "certificate_expired",
    severities: ["blocks"],
    source: "https://developer.apple.com/support/certificates/",
    judge: (facts) =>
      !isForStore(facts) && isPast(facts.installer.ios.certificateExpiry, facts.now) ? { severity: "blocks" } : null,
  },
  {
    code: "certificate_revoked",
    severities: ["blocks"],
    source: "https://developer.apple.com/support/certificates/",
    judge: ({ console }) => (console.certificateRevoked === true ? { severity: "blocks" } : null),
  },
  {
    code: "entitlement_not_in_profile",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/technotes/tn3125-inside-code-signing-provisioning-profiles",
    judge({ console: { ungrantedEntitlements: names = [] } }) {
      return names.length > 0 ? { severity: "blocks", params: { names: names.join(", ") } } : null;
    },
  },
  {
    code: "profile_of_other_app",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/technotes/tn3125-inside-code-signing-provisioning-profiles",
    judge({ installer: { identifier, ios } }) {
      const granted = ios.profileIdentifier;
      if (granted === null) return null;
      // A prefix, which need not be that of the team, and the App ID, which may end with an asterisk.
      const behindPrefix = granted.slice(granted.indexOf(".") + 1);
      const hasPrefix = /^[A-Z0-9]{10}\./.test(granted);
      const appIds = hasPrefix ? [behindPrefix] : [granted, behindPrefix];
      const covers = (appId: string) =>
        appId.endsWith("*") ? identifier.startsWith(appId.slice(0, -1)) : identifier === appId;
      if (appIds.some(covers)) return null;
      return { severity: "blocks", params: { profile: appIds[0] ?? granted, app: identifier } };
    },
  },
  {
    code: "profile_of_other_system",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/technotes/tn3125-inside-code-signing-provisioning-profiles",
    judge({ installer: { ios } }) {
      const { profilePlatforms: names } = ios;
      if (names.length === 0 || names.some((name) => /^i(?:Pad)?OS$/i.test(name))) return null;
      return { severity: "blocks", params: { names: names.join(", ") } };
    },
  },
  {
    code: "cannot_be_unpacked",
    severities: ["blocks"],
    source: "https://support.apple.com/guide/deployment/depce7cefc4d/web",
    judge: ({ installer: { ios } }) =>
      ios.unpackable === null ? null : { severity: "blocks", params: { name: ios.unpackable } },
  },
  {
    code: "ios_disabled",
    severities: ["blocks"],
    source: "The switch of the release in the console.",
    judge: ({ console }) => (console.iosEnabled === false ? { severity: "blocks" } : null),
  },
  {
    code: "manifest_not_https",
    severities: ["blocks"],
    source: "https://support.apple.com/guide/deployment/depce7cefc4d/web",
    judge: ({ console }) => (console.https === false ? { severity: "blocks" } : null),
  },
  {
    code: "device_not_registered",
    severities: ["blocks"],
    source: "https://developer.apple.com/documentation/xcode/distributing-your-app-to-registered-devices",
    judge({ installer: { ios }, device }) {
      if (ios.deviceCount === null) return null;
      return device.registered === false || ios.deviceCount === 0
        ? { severity: "blocks", params: { count: ios.deviceCount } }
        : null;
    },
  },
  {
    code: "device_not_enrolled",
    severities: ["unknown"],
    source: "https://developer.apple.com/documentation/xcode/distributing-your-app-to-registered-devices",
    judge({ installer: { ios }, device: { registered } }) {
      const isOpen = registered === null && ios.deviceCount !== null && ios.deviceCount > 0;
      return isOpen ? { severity: "unknown", params: { count: ios.deviceCount ?? 0 } } : null;
    },
  },
  {
    code: "missing_capability",
    severities: ["blocks"],
    source: "https://developer.apple.com/support/required-device-capabilities/",
    judge({ installer: { ios }, device }) {
      const model = appleModel(device.model);
      const missing = model ? missingCapabilities(ios.requiredCapabilities, model) : [];
      return missing.length > 0 ? { severity: "blocks", params: { names: missing.join(", ") } } : null;
    },
  },
  {
    code: "wrong_architecture",
    severities: ["blocks"],
    source:
      "https://developer.apple.com/documentation/bundleresources/information-property-list/uirequireddevicecapabilities",
    judge(facts) {
      const { architectures } = facts.installer.ios;
      if (architectures.length === 0 || isForSimulator(facts) || facts.device.os === "desktop") return null;
      const model = appleModel(facts.device.model);
      const runs64Bit = model ? is64Bit(model) : hasVersion(facts, ONLY_64_BIT_SINCE) || null;
      const hasSlice = architectures.some((name) => name.startsWith(runs64Bit ? "arm64" : "armv"));
      if (runs64Bit === null || hasSlice) return null;
      // A 64-bit processor runs 32-bit code before iOS 11.
      if (runs64Bit && hasVersion(facts, ONLY_64_BIT_SINCE) !== true) return null;
      return { severity: "blocks", params: { names: architectures.join(", ") } };
    },
  },
  {
    code: "enterprise_trust",
    severities: ["step"],
    source: "https://support.apple.com/guide/deployment/depce7cefc4d/web",
    judge(facts) {
      if (facts.installer.ios.profileType !== "enterprise") return null;
      const restarts = hasVersion(facts, RESTART_SINCE);
      return { severity: "step", params: { restarts: restarts === null ? "unknown" : restarts ? "yes" : "no" } };
    },
  },
  {
    code: "developer_mode",
    severities: ["step"],
    source: "https://developer.apple.com/documentation/xcode/enabling-developer-mode-on-a-device",
    judge(facts) {
      const isNeeded =
        facts.installer.ios.profileType === "development" && hasVersion(facts, DEVELOPER_MODE_SINCE) !== false;
      return isNeeded ? { severity: "step" } : null;
    },
  },
  {
    code: "profile_ends_soon",
    severities: ["note"],
    source: "https://developer.apple.com/help/account/reference/provisioning-profile-updates",
    judge(facts) {
      const { profileExpiry } = facts.installer.ios;
      if (profileExpiry === null || isForStore(facts) || isPast(profileExpiry, facts.now)) return null;
      const isSoon = Date.parse(profileExpiry) - facts.now.getTime() <= PROFILE_NOTE_DAYS * DAY_MS;
      return isSoon ? { severity: "note", params: { at: profileExpiry } } : null;
    },
  },
  {
    code: "device_registered",
    severities: ["note"],
    source: "https://developer.apple.com/documentation/xcode/distributing-your-app-to-registered-devices",
    judge: ({ installer: { ios }, device }) =>
      device.registered === true && ios.deviceCount !== null && ios.deviceCount > 0 ? { severity: "note" } : null,
  },
]);

/** On Android, none of these says more than that the file is for another system. */
const onApple = <Code extends string>({ judge, ...rule }: Rule<Code, IpaFacts>): Rule<Code> => ({
  ...rule,
  judge: (facts) => (isForApple(facts) ? judge(facts) : null),
});

function isForApple(facts: VerdictFacts<InstallerFacts>): facts is VerdictFacts<IpaFacts> {
  return facts.installer.kind === "ipa" && facts.device.os !== "android";
}

export const IOS_RULES = IPA_RULES.map(onApple);
