import { describe, expect, it, test } from "vitest";
import { processorTimeMs } from "../../testing/processor-time";
import type { AndroidFacts, ConsoleFacts, DeviceFacts, InstallerFacts, IosFacts, Severity } from "./types";
import { installerFacts, installVerdict, type ReasonCode, VERDICT_RULES } from "./verdict";

const NOW = new Date("2026-08-20T12:00:00Z");
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();
const [OLD_KEY, NEW_KEY] = ["a".repeat(64), "b".repeat(64)];

const IOS: IosFacts = {
  profileType: "ad-hoc",
  profileExpiry: inDays(200),
  deviceCount: 12,
  deviceFamilies: ["iphone", "ipad"],
  signed: true,
  simulator: false,
  certificateExpiry: inDays(300),
  requiredCapabilities: [],
  architectures: ["arm64"],
  platforms: ["ios"],
  profilePlatforms: ["iOS"],
  profileIdentifier: "ABCDE12345.com.example.app",
  unpackable: null,
};
const ANDROID: AndroidFacts = {
  targetSdk: 35,
  abis: ["arm64-v8a"],
  signatureSchemes: ["v2"],
  split: false,
  debuggable: false,
  testOnly: false,
  pageAligned: true,
  continuedSha256: null,
  resourceTable: "aligned",
  unloadableAbis: [],
  previewCodename: null,
  requiredLibraries: [],
  deviceTypes: [],
};
const COMMON = { identifier: "com.example.app", buildNumber: "87", signingSha256: [NEW_KEY] };
type Common = Partial<Pick<InstallerFacts, "minOs" | "buildNumber" | "signingSha256">>;
const ipa = (ios: Partial<IosFacts> = {}, changes: Common = {}): InstallerFacts => ({
  ...COMMON,
  kind: "ipa",
  minOs: "16.0",
  ios: { ...IOS, ...ios },
  ...changes,
});
const apk = (android: Partial<AndroidFacts> = {}, changes: Common = {}): InstallerFacts => ({
  ...COMMON,
  kind: "apk",
  minOs: "21",
  android: { ...ANDROID, ...android },
  ...changes,
});
const aab = (): InstallerFacts => ({
  ...COMMON,
  kind: "aab",
  minOs: "21",
  signingSha256: [],
  android: { ...ANDROID, signatureSchemes: [] },
});
const enterprise = (): InstallerFacts => ipa({ profileType: "enterprise", deviceCount: null });

const device = (os: DeviceFacts["os"], osVersion: string | null, changes: Partial<DeviceFacts> = {}): DeviceFacts => ({
  os,
  osVersion,
  osVersionIsMinimum: false,
  model: null,
  abis: [],
  browser: null,
  registered: null,
  ...changes,
});
const iPhone = (changes: Partial<DeviceFacts> = {}) => device("ios", "18.1", { registered: true, ...changes });
const iPad = (changes: Partial<DeviceFacts> = {}) => device("ipados", "18.1", { registered: true, ...changes });
const phone = (changes: Partial<DeviceFacts> = {}) => device("android", "34", changes);
const COMPUTER = device("desktop", null);

/** What is stored beside the details. */
const COLUMNS = { identifier: "com.example.app", minOs: "16.0", buildNumber: "1" };

interface Case {
  installer: InstallerFacts;
  device: DeviceFacts;
  console?: ConsoleFacts;
  now?: Date;
}
const verdictOf = ({ installer, device, console = {}, now = NOW }: Case) =>
  installVerdict(installer, device, { now, console });
const severityOf = (given: Case, code: ReasonCode) =>
  verdictOf(given).reasons.find((reason) => reason.code === code)?.severity;

/** For each code what gets it, and what is beside it and does not. */
const PAGES: Record<ReasonCode, { severity: Severity; gets: Case; beside: Case }[]> = {
  wrong_system: [
    {
      severity: "blocks",
      gets: { installer: apk(), device: iPhone() },
      beside: { installer: apk(), device: phone() },
    },
    { severity: "blocks", gets: { installer: aab(), device: iPad() }, beside: { installer: ipa(), device: iPad() } },
    {
      severity: "blocks",
      gets: { installer: ipa(), device: phone() },
      beside: { installer: ipa(), device: COMPUTER },
    },
  ],
  desktop: [
    { severity: "note", gets: { installer: ipa(), device: COMPUTER }, beside: { installer: ipa(), device: iPad() } },
  ],
  simulator_build: [
    {
      severity: "blocks",
      gets: { installer: ipa({ simulator: true }), device: iPhone() },
      beside: { installer: ipa({ simulator: null }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ simulator: null, architectures: ["x86_64", "i386"] }), device: iPhone() },
      beside: { installer: ipa({ simulator: null, architectures: ["x86_64", "arm64"] }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ simulator: null, architectures: ["x86_64"] }), device: iPhone() },
      beside: {
        installer: ipa({ simulator: false, architectures: ["x86_64"], platforms: ["macos"] }),
        device: iPhone(),
      },
    },
  ],
  device_family: [
    {
      severity: "blocks",
      gets: { installer: ipa({ deviceFamilies: ["ipad"] }), device: iPhone() },
      beside: { installer: ipa({ deviceFamilies: ["ipad"] }), device: iPad() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ deviceFamilies: ["tv"] }), device: iPad() },
      beside: { installer: ipa({ deviceFamilies: ["iphone"] }), device: iPad() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ platforms: ["tvos"] }), device: iPhone() },
      beside: { installer: ipa({ platforms: [] }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ platforms: ["macos"], architectures: ["x86_64"] }), device: iPhone() },
      beside: { installer: ipa({ platforms: ["macos", "ios"] }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ deviceFamilies: ["watch"] }), device: COMPUTER },
      beside: { installer: ipa({ deviceFamilies: ["ipad"] }), device: COMPUTER },
    },
  ],
  no_profile: [
    {
      severity: "blocks",
      gets: { installer: ipa({ profileType: null, profileExpiry: null, deviceCount: null }), device: iPhone() },
      beside: { installer: ipa(), device: iPhone() },
    },
  ],
  app_store_build: [
    {
      severity: "blocks",
      gets: { installer: ipa({ profileType: "app-store", deviceCount: null }), device: iPhone() },
      beside: { installer: enterprise(), device: iPhone() },
    },
  ],
  profile_expired: [
    {
      severity: "blocks",
      gets: { installer: ipa({ profileExpiry: NOW.toISOString() }), device: iPhone() },
      beside: { installer: ipa({ profileExpiry: inDays(0.001) }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileExpiry: inDays(-1) }), device: COMPUTER },
      beside: { installer: ipa({ profileExpiry: inDays(-1), profileType: "app-store" }), device: COMPUTER },
    },
  ],
  certificate_expired: [
    {
      severity: "blocks",
      gets: { installer: ipa({ certificateExpiry: inDays(-1) }), device: iPhone() },
      beside: { installer: ipa({ certificateExpiry: null }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ certificateExpiry: inDays(-1), profileType: "enterprise" }), device: iPhone() },
      beside: { installer: ipa({ certificateExpiry: inDays(-1), profileType: "app-store" }), device: iPhone() },
    },
  ],
  certificate_revoked: [
    {
      severity: "blocks",
      gets: { installer: ipa(), device: iPhone(), console: { certificateRevoked: true } },
      beside: { installer: ipa(), device: iPhone(), console: { certificateRevoked: false } },
    },
  ],
  entitlement_not_in_profile: [
    {
      severity: "blocks",
      gets: { installer: ipa(), device: iPhone(), console: { ungrantedEntitlements: ["aps-environment"] } },
      beside: { installer: ipa(), device: iPhone(), console: { ungrantedEntitlements: [] } },
    },
  ],
  ios_disabled: [
    {
      severity: "blocks",
      gets: { installer: ipa(), device: iPhone(), console: { iosEnabled: false } },
      beside: { installer: apk(), device: phone(), console: { iosEnabled: false } },
    },
  ],
  not_allowed: [
    {
      severity: "blocks",
      gets: { installer: apk(), device: COMPUTER, console: { mayDownload: false } },
      beside: { installer: apk(), device: COMPUTER, console: { mayDownload: true } },
    },
  ],
  manifest_not_https: [
    {
      severity: "blocks",
      gets: { installer: ipa(), device: iPhone(), console: { https: false } },
      beside: { installer: apk(), device: phone(), console: { https: false } },
    },
    {
      severity: "blocks",
      gets: { installer: ipa(), device: COMPUTER, console: { https: false } },
      beside: { installer: ipa(), device: COMPUTER, console: { https: true } },
    },
  ],
  device_not_registered: [
    {
      severity: "blocks",
      gets: { installer: ipa(), device: iPhone({ registered: false }) },
      beside: { installer: ipa(), device: iPhone({ registered: null }) },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ deviceCount: 0 }), device: iPhone({ registered: null }) },
      beside: { installer: enterprise(), device: iPhone({ registered: false }) },
    },
  ],
  device_not_enrolled: [
    {
      severity: "unknown",
      gets: { installer: ipa(), device: iPhone({ registered: null }) },
      beside: { installer: enterprise(), device: iPhone({ registered: null }) },
    },
  ],
  device_registered: [
    {
      severity: "note",
      gets: { installer: ipa(), device: iPhone() },
      beside: { installer: enterprise(), device: iPhone() },
    },
  ],
  missing_capability: [
    {
      severity: "blocks",
      gets: { installer: ipa({ requiredCapabilities: ["nfc"] }), device: iPad({ model: "iPad13,4" }) },
      beside: { installer: ipa({ requiredCapabilities: ["nfc"] }), device: iPhone({ model: "iPhone9,1" }) },
    },
    {
      severity: "blocks",
      gets: {
        installer: ipa({ requiredCapabilities: ["iphone-ipad-minimum-performance-a12"] }),
        device: iPhone({ model: "iPhone10,6" }),
      },
      beside: {
        installer: ipa({ requiredCapabilities: ["iphone-ipad-minimum-performance-a12"] }),
        device: iPhone({ model: "iPhone11,8" }),
      },
    },
    {
      severity: "blocks",
      gets: {
        installer: ipa({ requiredCapabilities: ["arkit", "accelerometer"] }),
        device: iPhone({ model: "iPhone7,2" }),
      },
      beside: {
        installer: ipa({ requiredCapabilities: ["accelerometer", "constructor"] }),
        device: iPhone({ model: "iPhone7,2" }),
      },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ requiredCapabilities: ["telephony"] }), device: iPad({ model: "iPad13,4" }) },
      beside: { installer: ipa({ requiredCapabilities: ["telephony"] }), device: iPad({ model: null }) },
    },
  ],
  wrong_architecture: [
    {
      severity: "blocks",
      gets: { installer: ipa({ architectures: ["armv7"] }), device: iPhone() },
      beside: { installer: ipa({ architectures: ["armv7", "arm64"] }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: {
        installer: ipa({}, { minOs: "9.0" }),
        device: device("ios", "10.3.4", { model: "iPhone5,2", registered: true }),
      },
      beside: {
        installer: ipa({ architectures: ["armv7"] }, { minOs: "9.0" }),
        device: device("ios", "10.3.4", { model: "iPhone6,1", registered: true }),
      },
    },
    {
      severity: "unknown",
      gets: { installer: apk({ abis: ["arm64-v8a"] }), device: phone({ abis: ["armeabi-v7a"], abisAreSome: true }) },
      beside: {
        installer: apk({ abis: ["armeabi-v7a"] }),
        device: phone({ abis: ["armeabi-v7a"], abisAreSome: true }),
      },
    },
    {
      severity: "blocks",
      gets: { installer: apk(), device: phone({ abis: ["x86_64", "x86"] }) },
      beside: { installer: apk(), device: phone({ abis: ["arm64-v8a", "armeabi-v7a"] }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ abis: ["armeabi-v7a"] }), device: phone({ abis: ["arm64-v8a"] }) },
      beside: { installer: apk({ abis: [] }), device: phone({ abis: ["arm64-v8a"] }) },
    },
    ...[["x86_64"], ["x86", "x86_64"], ["armeabi-v7a"], ["armeabi"], ["riscv64"]].map((abis) => ({
      severity: "unknown" as const,
      gets: { installer: apk({ abis }), device: phone() },
      beside: { installer: apk({ abis: [...abis, "arm64-v8a"] }), device: phone() },
    })),
    {
      severity: "unknown",
      gets: { installer: { ...aab(), android: { ...ANDROID, abis: ["x86"] } } as InstallerFacts, device: phone() },
      beside: { installer: apk({ abis: ["x86"] }), device: COMPUTER },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ architectures: ["armv7"] }), device: iPhone({ osVersion: "11.0" }) },
      beside: { installer: ipa({ architectures: ["armv7"] }), device: iPhone({ osVersion: null }) },
    },
  ],
  enterprise_trust: [
    {
      severity: "step",
      gets: { installer: enterprise(), device: iPhone() },
      beside: { installer: ipa(), device: iPhone() },
    },
  ],
  developer_mode: [
    {
      severity: "step",
      gets: { installer: ipa({ profileType: "development" }), device: iPhone({ osVersion: "16.0" }) },
      beside: { installer: ipa({ profileType: "development" }), device: iPhone({ osVersion: "15.8" }) },
    },
    {
      severity: "step",
      gets: { installer: ipa({ profileType: "development" }), device: iPhone({ osVersion: null }) },
      beside: { installer: ipa(), device: iPhone({ osVersion: null }) },
    },
  ],
  profile_ends_soon: [
    {
      severity: "note",
      gets: { installer: ipa({ profileExpiry: inDays(14) }), device: iPhone() },
      beside: { installer: ipa({ profileExpiry: inDays(14.1) }), device: iPhone() },
    },
    {
      severity: "note",
      gets: { installer: ipa({ profileExpiry: inDays(1) }), device: iPhone() },
      beside: { installer: ipa({ profileExpiry: inDays(-1) }), device: iPhone() },
    },
  ],
  unsigned: [
    {
      severity: "blocks",
      gets: { installer: apk({}, { signingSha256: [] }), device: phone() },
      beside: { installer: apk(), device: phone() },
    },
    {
      severity: "blocks",
      gets: { installer: apk({}, { signingSha256: [] }), device: COMPUTER },
      beside: { installer: aab(), device: COMPUTER, console: { universalApk: true } },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ signed: false }), device: iPhone() },
      beside: { installer: ipa({ signed: null }), device: iPhone() },
    },
  ],
  system_too_old: [
    {
      severity: "blocks",
      gets: { installer: ipa({}, { minOs: "18.2" }), device: iPhone() },
      beside: { installer: ipa({}, { minOs: "18.1" }), device: iPhone() },
    },
    {
      severity: "unknown",
      gets: { installer: ipa({}, { minOs: "18.2" }), device: iPhone({ osVersionIsMinimum: true }) },
      beside: { installer: ipa({}, { minOs: "18.1" }), device: iPhone({ osVersionIsMinimum: true }) },
    },
    {
      severity: "unknown",
      gets: { installer: apk({}, { minOs: "35" }), device: phone({ osVersion: null }) },
      beside: { installer: apk({}, { minOs: null }), device: phone({ osVersion: null }) },
    },
    {
      severity: "unknown",
      gets: { installer: ipa({}, { minOs: "abc" }), device: iPhone() },
      beside: { installer: ipa({}, { minOs: null }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: apk({}, { minOs: "35" }), device: phone() },
      beside: { installer: apk({}, { minOs: "CinnamonBun" }), device: phone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({}, { minOs: "9.10" }), device: iPhone({ osVersion: "9.9" }) },
      beside: { installer: ipa({}, { minOs: "9.9" }), device: iPhone({ osVersion: "9.10" }) },
    },
  ],
  browser_cannot_install: [
    {
      severity: "step",
      gets: { installer: ipa(), device: iPhone({ browser: "in-app" }) },
      beside: { installer: ipa(), device: iPhone({ browser: "safari" }) },
    },
    {
      severity: "step",
      gets: { installer: apk(), device: phone({ browser: "in-app" }) },
      beside: { installer: apk(), device: phone() },
    },
  ],
  chain_not_trusted: [
    {
      severity: "step",
      gets: { installer: apk(), device: phone(), console: { ownAuthority: true } },
      beside: { installer: apk(), device: COMPUTER, console: { ownAuthority: true } },
    },
    {
      severity: "step",
      gets: { installer: ipa(), device: iPhone(), console: { ownAuthority: true } },
      beside: { installer: ipa(), device: iPhone(), console: { ownAuthority: false } },
    },
  ],
  bundle_without_apk: [
    {
      severity: "blocks",
      gets: { installer: aab(), device: phone() },
      beside: { installer: aab(), device: phone(), console: { universalApk: true } },
    },
    {
      severity: "blocks",
      gets: { installer: aab(), device: COMPUTER },
      beside: { installer: apk(), device: COMPUTER },
    },
  ],
  split_without_base: [
    {
      severity: "blocks",
      gets: { installer: apk({ split: true }), device: phone() },
      beside: { installer: apk(), device: phone() },
    },
  ],
  test_only: [
    {
      severity: "blocks",
      gets: { installer: apk({ testOnly: true }), device: phone() },
      beside: { installer: apk({ testOnly: null }), device: phone() },
    },
  ],
  preview_system: [
    {
      severity: "blocks",
      gets: { installer: apk({ previewCodename: "Baklava" }), device: phone({ osVersion: "36" }) },
      beside: { installer: apk({}, { minOs: "36" }), device: phone({ osVersion: "36" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ previewCodename: "CinnamonBun" }), device: COMPUTER },
      beside: { installer: apk(), device: COMPUTER },
    },
  ],
  libraries_not_loadable: [
    {
      severity: "blocks",
      gets: { installer: apk({ unloadableAbis: ["arm64-v8a"] }), device: phone() },
      beside: { installer: apk({ unloadableAbis: ["arm64-v8a"] }), device: phone({ osVersion: "22" }) },
    },
    {
      severity: "blocks",
      gets: {
        installer: apk({ abis: ["arm64-v8a", "x86"], unloadableAbis: ["arm64-v8a"] }),
        device: phone({ abis: ["arm64-v8a", "armeabi-v7a"] }),
      },
      beside: {
        installer: apk({ abis: ["arm64-v8a", "x86"], unloadableAbis: ["x86"] }),
        device: phone({ abis: ["arm64-v8a", "x86"] }),
      },
    },
    {
      severity: "unknown",
      gets: { installer: apk({ abis: ["arm64-v8a", "x86"], unloadableAbis: ["x86"] }), device: phone() },
      beside: { installer: apk({ abis: ["arm64-v8a", "x86"], unloadableAbis: ["x86"] }), device: COMPUTER },
    },
  ],
  resources_not_mappable: [
    {
      severity: "blocks",
      gets: { installer: apk({ resourceTable: "compressed", targetSdk: 30 }), device: phone({ osVersion: "30" }) },
      beside: { installer: apk({ resourceTable: "compressed", targetSdk: 30 }), device: phone({ osVersion: "29" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ resourceTable: "unaligned" }), device: phone() },
      beside: { installer: apk({ resourceTable: "unaligned", targetSdk: 29 }), device: phone() },
    },
    {
      severity: "unknown",
      gets: {
        installer: apk({ resourceTable: "compressed" }),
        device: phone({ osVersion: "29", osVersionIsMinimum: true }),
      },
      beside: { installer: apk({ resourceTable: null }), device: phone({ osVersion: null }) },
    },
  ],
  missing_library: [
    {
      severity: "unknown",
      gets: { installer: apk({ requiredLibraries: ["com.google.android.wearable"] }), device: phone() },
      beside: {
        installer: apk({
          requiredLibraries: [
            "org.apache.http.legacy",
            "android.test.runner",
            "com.google.android.maps",
            "androidx.window.extensions",
          ],
        }),
        device: phone(),
      },
    },
  ],
  other_device_type: [
    {
      severity: "unknown",
      gets: { installer: apk({ deviceTypes: ["watch"] }), device: phone() },
      beside: { installer: apk({ deviceTypes: ["watch"] }), device: COMPUTER },
    },
  ],
  profile_of_other_app: [
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "ABCDE12345.com.other.app" }), device: iPhone() },
      beside: { installer: ipa({ profileIdentifier: "ZYXWV98765.com.example.app" }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "ABCDE12345.com.other.*" }), device: iPhone() },
      beside: { installer: ipa({ profileIdentifier: "ABCDE12345.com.example.*" }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "ABCDE12345.com.example.app.share" }), device: COMPUTER },
      beside: { installer: ipa({ profileIdentifier: "ABCDE12345.*" }), device: COMPUTER },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "ABCDE12345.com.example" }), device: iPhone() },
      beside: { installer: ipa({ profileIdentifier: null }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "com.other.app" }), device: iPhone() },
      beside: { installer: ipa({ profileIdentifier: "com.example.app" }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profileIdentifier: "prefix.com.other.*" }), device: iPhone() },
      beside: { installer: ipa({ profileIdentifier: "*" }), device: iPhone() },
    },
  ],
  profile_of_other_system: [
    {
      severity: "blocks",
      gets: { installer: ipa({ profilePlatforms: ["tvOS"] }), device: iPhone() },
      beside: { installer: ipa({ profilePlatforms: ["iOS", "xrOS", "visionOS"] }), device: iPhone() },
    },
    {
      severity: "blocks",
      gets: { installer: ipa({ profilePlatforms: ["OSX"] }), device: iPad() },
      beside: { installer: ipa({ profilePlatforms: [] }), device: iPad() },
    },
  ],
  cannot_be_unpacked: [
    {
      severity: "blocks",
      gets: { installer: ipa({ unpackable: "Payload/Example.app/Example" }), device: iPhone() },
      beside: { installer: ipa(), device: iPhone() },
    },
  ],
  v1_signature_only: [
    {
      severity: "unknown",
      gets: { installer: apk({ signatureSchemes: ["v1"] }), device: phone({ osVersion: null }) },
      beside: { installer: apk({ signatureSchemes: ["v1"], targetSdk: 29 }), device: phone({ osVersion: null }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ signatureSchemes: ["v1"], targetSdk: 30 }), device: phone({ osVersion: "30" }) },
      beside: { installer: apk({ signatureSchemes: ["v1"], targetSdk: 30 }), device: phone({ osVersion: "29" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ signatureSchemes: ["v1"], targetSdk: 30 }), device: phone() },
      beside: { installer: apk({ signatureSchemes: ["v1"], targetSdk: 29 }), device: phone() },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ signatureSchemes: ["v1"] }), device: phone() },
      beside: { installer: apk({ signatureSchemes: ["v1", "v2"] }), device: phone() },
    },
  ],
  target_sdk_too_low: [
    {
      severity: "unknown",
      gets: { installer: apk({ targetSdk: 21 }), device: phone({ osVersion: "29", osVersionIsMinimum: true }) },
      beside: { installer: apk({ targetSdk: 24 }), device: phone({ osVersion: "29", osVersionIsMinimum: true }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ targetSdk: 22 }), device: phone({ osVersion: "34" }) },
      beside: { installer: apk({ targetSdk: 22 }), device: phone({ osVersion: "33" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ targetSdk: 23 }), device: phone({ osVersion: "35" }) },
      beside: { installer: apk({ targetSdk: 23 }), device: phone({ osVersion: "34" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ targetSdk: null }, { minOs: "21" }), device: phone({ osVersion: "36" }) },
      beside: { installer: apk({ targetSdk: null }, { minOs: "24" }), device: phone({ osVersion: "36" }) },
    },
    {
      severity: "blocks",
      gets: { installer: apk({ targetSdk: null }, { minOs: null }), device: phone({ osVersion: "34" }) },
      beside: { installer: apk({ targetSdk: null }, { minOs: null }), device: COMPUTER },
    },
  ],
  version_lower: [
    {
      severity: "blocks",
      gets: {
        installer: apk({}, { buildNumber: "9" }),
        device: phone(),
        console: { installed: { buildNumber: "10", signingSha256: [NEW_KEY] } },
      },
      beside: {
        installer: apk({}, { buildNumber: "10" }),
        device: phone(),
        console: { installed: { buildNumber: "10", signingSha256: [NEW_KEY] } },
      },
    },
    {
      severity: "blocks",
      gets: {
        // Numbers that differ only beyond the precision of a double.
        installer: apk({}, { buildNumber: "9007199254740992" }),
        device: phone(),
        console: { installed: { buildNumber: "9007199254740993", signingSha256: [NEW_KEY] } },
      },
      beside: {
        installer: apk({}, { buildNumber: "1.0" }),
        device: phone(),
        console: { installed: { buildNumber: "10", signingSha256: [NEW_KEY] } },
      },
    },
  ],
  signature_changed: [
    {
      severity: "step",
      gets: {
        installer: apk(),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY] } },
      },
      beside: {
        installer: apk(),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY, NEW_KEY] } },
      },
    },
    {
      severity: "step",
      gets: {
        installer: apk(),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY] } },
      },
      beside: {
        installer: apk({ signatureSchemes: ["v2", "v3"] }),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY] } },
      },
    },
    {
      severity: "step",
      gets: {
        installer: apk({ signatureSchemes: ["v2", "v3"], continuedSha256: [] }),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY] } },
      },
      beside: {
        installer: apk({ signatureSchemes: ["v2", "v3"], continuedSha256: [OLD_KEY] }),
        device: phone(),
        console: { installed: { buildNumber: "1", signingSha256: [OLD_KEY] } },
      },
    },
  ],
  unknown_sources: [
    {
      severity: "step",
      gets: { installer: apk(), device: phone() },
      beside: { installer: ipa(), device: iPhone() },
    },
  ],
  debuggable: [
    {
      severity: "note",
      gets: { installer: apk({ debuggable: true }), device: phone() },
      beside: { installer: apk(), device: phone() },
    },
  ],
  page_size: [
    {
      severity: "note",
      gets: { installer: apk({ pageAligned: false }), device: phone({ osVersion: "35" }) },
      beside: { installer: apk({ pageAligned: false }), device: phone({ osVersion: "34" }) },
    },
    {
      severity: "note",
      gets: { installer: apk({ pageAligned: false }), device: phone({ osVersion: "35" }) },
      beside: { installer: apk({ pageAligned: null }), device: phone({ osVersion: "35" }) },
    },
  ],
  developer_verification: [
    {
      severity: "note",
      gets: { installer: apk(), device: phone(), now: new Date("2026-09-30T00:00:00Z") },
      beside: { installer: apk(), device: phone(), now: new Date("2026-09-29T23:59:59Z") },
    },
  ],
};

const pages = Object.entries(PAGES).flatMap(([code, cases]) =>
  cases.map((page, index) => [`${code} ${index + 1}`, code as ReasonCode, page] as const),
);

describe("each rule", () => {
  test.each(pages)("%s", (_, code, { severity, gets, beside }) => {
    expect(severityOf(gets, code)).toBe(severity);
    expect(severityOf(beside, code)).toBeUndefined();
  });

  it("has a page for every severity that it declares, and a source", () => {
    for (const { code, source } of VERDICT_RULES) {
      // Each system has a rule of its own for some codes.
      const declared = new Set(VERDICT_RULES.filter((rule) => rule.code === code).flatMap((rule) => rule.severities));
      const shown = new Set(PAGES[code].map(({ severity }) => severity));
      expect([code, ...[...declared].sort()]).toEqual([code, ...[...shown].sort()]);
      expect(source).toMatch(/^(https:\/\/\S+$|[A-Z].*\.$)/);
    }
  });
});

describe("the verdict", () => {
  it("follows the gravest reason, which comes first", () => {
    const codes = (given: Case) => {
      const { verdict, way, reasons } = verdictOf(given);
      return [verdict, way, ...reasons.map(({ code }) => code)];
    };
    expect(codes({ installer: ipa(), device: iPhone() })).toEqual(["installs", "itms-services", "device_registered"]);
    expect(codes({ installer: enterprise(), device: iPhone() })).toEqual([
      "installs_after_steps",
      "itms-services",
      "enterprise_trust",
    ]);
    expect(codes({ installer: apk({ debuggable: true }), device: phone() })).toEqual([
      "installs_after_steps",
      "apk",
      "unknown_sources",
      "debuggable",
    ]);
    const development = ipa({ profileType: "development" });
    expect(codes({ installer: development, device: iPhone({ registered: null }) })).toEqual([
      "unknown",
      "itms-services",
      "device_not_enrolled",
      "developer_mode",
    ]);
    expect(codes({ installer: development, device: iPhone({ registered: false, browser: "in-app" }) })).toEqual([
      "does_not_install",
      null,
      "device_not_registered",
      "developer_mode",
      "browser_cannot_install",
    ]);
  });

  it("names the system first, and what the file rules out before what the device does", () => {
    const first = (given: Case) => verdictOf(given).reasons[0]?.code;
    expect(first({ installer: ipa({ profileExpiry: inDays(-1) }), device: phone() })).toBe("wrong_system");
    const old = ipa({ profileExpiry: inDays(-1) }, { minOs: "26.0" });
    expect(first({ installer: old, device: iPhone({ registered: false }) })).toBe("profile_expired");
    const simulator = ipa({ simulator: true, signed: false, profileType: null, deviceCount: null });
    expect(first({ installer: simulator, device: iPhone() })).toBe("simulator_build");
    const closed = { iosEnabled: false, https: false, mayDownload: false };
    expect(first({ installer: ipa({ profileExpiry: inDays(-1) }), device: iPhone(), console: closed })).toBe(
      "profile_expired",
    );
    expect(first({ installer: ipa(), device: iPhone(), console: closed })).toBe("ios_disabled");
    expect(first({ installer: apk({ split: true }), device: phone(), console: closed })).toBe("split_without_base");
  });

  it("opens nothing on a computer", () => {
    expect(verdictOf({ installer: enterprise(), device: COMPUTER })).toMatchObject({ way: null });
    expect(verdictOf({ installer: apk(), device: COMPUTER })).toMatchObject({ way: null });
  });

  it("says before and from iOS 18 what trusting a developer takes, and that it is not known", () => {
    const restarts = (osVersion: string | null, osVersionIsMinimum = false) =>
      verdictOf({ installer: enterprise(), device: iPhone({ osVersion, osVersionIsMinimum }) }).reasons[0]?.params;
    expect(restarts("17.7")).toEqual({ restarts: "no" });
    expect(restarts("18.0")).toEqual({ restarts: "yes" });
    expect(restarts(null)).toMatchObject({});
  });

  it("judges an installer whose stored details lack the newer facts by what is there", () => {
    const common = { signingSha256: [], deviceFamilies: ["iphone" as const], sdkVersion: null, profileName: "Acme" };
    const profile = { team: null, teamName: null, profileCreated: null, profileExpiry: inDays(100), entitlements: {} };
    const stored = { kind: "ipa" as const, ...common, ...profile, profileType: "ad-hoc" as const, deviceCount: 3 };
    const facts = installerFacts(stored, COLUMNS);
    expect(verdictOf({ installer: facts, device: iPhone() }).verdict).toBe("installs");
    // The devices that the profile of an enterprise app lists were counted.
    const all = { ...stored, profileType: "enterprise" as const };
    expect(verdictOf({ installer: installerFacts(all, COLUMNS), device: iPhone() }).reasons).toHaveLength(1);
    const sdk = { minSdk: 21, targetSdk: 35, permissions: [], abis: [], signatureSchemes: ["v2" as const] };
    const android = { kind: "apk" as const, signingSha256: [NEW_KEY], ...sdk, split: false, debuggable: false };
    const androidFacts = installerFacts(android, { ...COLUMNS, minOs: "21" });
    expect(verdictOf({ installer: androidFacts, device: phone() }).verdict).toBe("installs_after_steps");
  });

  it("takes less than a millisecond of the processor", () => {
    const given = Object.values(PAGES).flatMap((cases) => cases.map(({ gets }) => gets));
    const rounds = 100;
    const start = processorTimeMs();
    for (let round = 0; round < rounds; round += 1) for (const one of given) verdictOf(one);
    const each = (processorTimeMs() - start) / (rounds * given.length);
    expect(each).toBeLessThan(1);
  });
});
