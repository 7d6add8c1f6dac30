import { CUR_DEVELOPMENT } from "../android-versions";
import { compareVersions } from "../versions";
import { type ApkFacts, type InstallerFacts, type Rule, rulesFor, type VerdictFacts } from "./types";

/** From this API level on, Android installs what only v1 signs no longer, if its target is this level or later. */
const V2_SIGNATURE_SINCE = 30;
/** From this API level on, Android maps resource tables into memory, if the target is this level or later. */
const MAPPED_RESOURCES_SINCE = 30;
/** From this API level on, Android loads libraries from the APK if it is told not to extract them. */
const LOADED_LIBRARIES_SINCE = 23;
/** The lowest target that devices of an API level install, the latest level first. */
const LOWEST_TARGETS = [
  { apiLevel: 35, target: 24 },
  { apiLevel: 34, target: 23 },
] as const;
/** The first API level whose devices refuse an app with a target; null if none is known. */
export function refusedFrom(targetSdk: number): number | null {
  return LOWEST_TARGETS.findLast(({ target }) => targetSdk < target)?.apiLevel ?? null;
}
/** From this API level on, Android has devices with pages of 16 KB. */
const LARGE_PAGES_SINCE = 35;
/** From this API level on, each app is allowed to install on its own, instead of all at once. */
const ALLOWED_PER_APP_SINCE = 26;
/** From this day on, certified devices of the first countries check who registered an app. */
const VERIFICATION_SINCE = Date.parse("2026-09-30T00:00:00Z");

/** Whether the device has an API level or a later one; null if that is not known. */
function hasLevel({ device: { osVersion, osVersionIsMinimum } }: VerdictFacts, level: number): boolean | null {
  if (osVersion === null) return null;
  if (compareVersions(osVersion, String(level)) >= 0) return true;
  return osVersionIsMinimum ? null : false;
}

/** The severity of what blocks from an API level on. On a device whose level is not known, that is not known either. */
function blocksFrom(facts: VerdictFacts, level: number): { severity: "blocks" | "unknown" } | null {
  const has = hasLevel(facts, level);
  if (has === null) return facts.device.os === "android" ? { severity: "unknown" } : null;
  return has ? { severity: "blocks" } : null;
}

/** The API level that an app is made for; by default that which it needs at least. */
function targetOf({ installer: { android, minOs } }: VerdictFacts<ApkFacts>): number {
  return android.targetSdk ?? Number(android.previewCodename === null ? (minOs ?? 1) : CUR_DEVELOPMENT);
}

/** The ABIs of the code that phones are known to run, if not all: the emulator's and those of 32 bits are left out. */
const USUAL_ABI = "arm64-v8a";

/** The shared libraries that usual phones have; which others a device has is not known. */
const USUAL_LIBRARIES =
  /^(?:android\.(?:test\.(?:base|mock|runner)|ext\.shared|hidl\.(?:base|manager)-V1\.0-java|net\.ipsec\.ike)|androidx\.window\.(?:extensions|sidecar)|com\.android\.(?:future\.usb\.accessory|location\.provider|media\.remotedisplay|mediadrm\.signer)|com\.google\.android\.(?:maps|media\.effects|dialer\.support)|javax\.obex|org\.apache\.http\.legacy)$/;

/** Compares version codes, which have up to 64 bits. Null where one is not a number. */
function compareBuilds(a: string, b: string): number | null {
  if (!/^\d{1,20}$/.test(a) || !/^\d{1,20}$/.test(b)) return null;
  return a === b ? 0 : BigInt(a) < BigInt(b) ? -1 : 1;
}

const APK_RULES = rulesFor<ApkFacts>()([
  {
    code: "bundle_without_apk",
    severities: ["blocks"],
    source: "https://developer.android.com/guide/app-bundle",
    judge: ({ installer: { kind }, console }) =>
      kind === "aab" && console.universalApk !== true ? { severity: "blocks" } : null,
  },
  {
    code: "split_without_base",
    severities: ["blocks"],
    source: "https://developer.android.com/guide/app-bundle/app-bundle-format#generated_apks",
    judge: ({ installer: { kind, android } }) => (kind === "apk" && android.split ? { severity: "blocks" } : null),
  },
  {
    code: "test_only",
    severities: ["blocks"],
    source: "https://developer.android.com/guide/topics/manifest/application-element#testOnly",
    judge: ({ installer: { android } }) => (android.testOnly === true ? { severity: "blocks" } : null),
  },
  {
    code: "preview_system",
    severities: ["blocks"],
    source: "https://developer.android.com/guide/topics/manifest/uses-sdk-element",
    judge({ installer: { android } }) {
      const { previewCodename: name } = android;
      return name === null ? null : { severity: "blocks", params: { name } };
    },
  },
  {
    code: "wrong_architecture",
    severities: ["blocks", "unknown"],
    source: "https://developer.android.com/ndk/guides/abis",
    judge({ installer: { android }, device }) {
      if (android.abis.length === 0 || android.abis.some((abi) => device.abis.includes(abi))) return null;
      const [wanted = USUAL_ABI] = device.abis;
      const params = { names: android.abis.join(", "), wanted };
      if (device.abis.length > 0) return { severity: device.abisAreSome ? "unknown" : "blocks", params };
      return device.os === "android" && !android.abis.includes(USUAL_ABI) ? { severity: "unknown", params } : null;
    },
  },
  {
    code: "libraries_not_loadable",
    severities: ["blocks", "unknown"],
    source: "https://developer.android.com/guide/topics/manifest/application-element#extractNativeLibs",
    judge(facts) {
      const { abis, unloadableAbis } = facts.installer.android;
      if (unloadableAbis.length === 0) return null;
      const params = { names: unloadableAbis.join(", ") };
      // A device takes the libraries of the first of its ABIs that the app has.
      const taken = facts.device.abisAreSome ? undefined : facts.device.abis.find((abi) => abis.includes(abi));
      if (taken !== undefined && !unloadableAbis.includes(taken)) return null;
      const finding = blocksFrom(facts, LOADED_LIBRARIES_SINCE);
      const isOneOfSome = taken === undefined && unloadableAbis.length < abis.length;
      if (finding === null || (isOneOfSome && facts.device.os === "desktop")) return null;
      return isOneOfSome ? { severity: "unknown", params } : { ...finding, params };
    },
  },
  {
    code: "resources_not_mappable",
    severities: ["blocks", "unknown"],
    source: "https://developer.android.com/about/versions/11/behavior-changes-11#compressed-resource-file",
    judge(facts) {
      const { kind, android } = facts.installer;
      const { resourceTable: how } = android;
      // The resources of the APK that is made of a bundle are stored.
      if (kind !== "apk" || (how !== "compressed" && how !== "unaligned")) return null;
      if (targetOf(facts) < MAPPED_RESOURCES_SINCE) return null;
      const finding = blocksFrom(facts, MAPPED_RESOURCES_SINCE);
      return finding && { ...finding, params: { how } };
    },
  },
  {
    code: "missing_library",
    severities: ["unknown"],
    source: "https://developer.android.com/guide/topics/manifest/uses-library-element",
    judge({ installer: { android }, device }) {
      const names = android.requiredLibraries.filter((name) => !USUAL_LIBRARIES.test(name));
      if (names.length === 0 || device.os !== "android") return null;
      return { severity: "unknown", params: { names: names.join(", ") } };
    },
  },
  {
    code: "other_device_type",
    severities: ["unknown"],
    source: "https://developer.android.com/guide/topics/manifest/uses-feature-element",
    judge({ installer: { android }, device }) {
      const [type] = android.deviceTypes;
      return type !== undefined && device.os === "android" ? { severity: "unknown", params: { for: type } } : null;
    },
  },
  {
    code: "v1_signature_only",
    severities: ["blocks", "unknown"],
    source: "https://developer.android.com/about/versions/11/behavior-changes-11#minimum-signature-scheme",
    judge(facts) {
      const { kind, android } = facts.installer;
      const isOnly = android.signatureSchemes.length > 0 && android.signatureSchemes.every((scheme) => scheme === "v1");
      // The signature of a bundle is for its upload; what a device gets is signed again.
      if (kind !== "apk" || !isOnly || targetOf(facts) < V2_SIGNATURE_SINCE) return null;
      return blocksFrom(facts, V2_SIGNATURE_SINCE);
    },
  },
  {
    code: "target_sdk_too_low",
    severities: ["blocks", "unknown"],
    source: "https://developer.android.com/about/versions/15/behavior-changes-all#minimum-target-api-level",
    judge(facts) {
      const target = targetOf(facts);
      const refusing = LOWEST_TARGETS.filter((row) => target < row.target).map((row) => ({
        needed: row.target,
        since: row.apiLevel,
        finding: blocksFrom(facts, row.apiLevel),
      }));
      const found =
        refusing.find(({ finding }) => finding?.severity === "blocks") ?? refusing.findLast((row) => row.finding);
      if (!found?.finding) return null;
      const { finding, since, needed } = found;
      return { ...finding, params: { target, needed, since } };
    },
  },
  {
    code: "version_lower",
    severities: ["blocks"],
    source: "https://developer.android.com/studio/publish/versioning#versioningsettings",
    judge({ installer, console: { installed } }) {
      const isLower = installed && (compareBuilds(installer.buildNumber, installed.buildNumber) ?? 0) < 0;
      return isLower
        ? { severity: "blocks", params: { build: installer.buildNumber, installed: installed.buildNumber } }
        : null;
    },
  },
  {
    code: "signature_changed",
    severities: ["step"],
    source: "https://developer.android.com/studio/publish/app-signing#considerations",
    judge({ installer: { signingSha256: signers, android }, console: { installed } }) {
      if (!installed || signers.length === 0 || installed.signingSha256.length === 0) return null;
      const { signatureSchemes, continuedSha256 } = android;
      // Schemes v3 and later can contain the proof that the new certificate continues the old one.
      const mayBeRotated = signatureSchemes.some((scheme) => scheme === "v3" || scheme === "v3.1");
      if (continuedSha256 === null && mayBeRotated) return null;
      const updates = [...signers, ...(continuedSha256 ?? [])];
      return updates.some((sha256) => installed.signingSha256.includes(sha256)) ? null : { severity: "step" };
    },
  },
  {
    code: "unknown_sources",
    severities: ["step"],
    source: "https://developer.android.com/distribute/marketing-tools/alternative-distribution#unknown-sources",
    judge(facts) {
      const perApp = hasLevel(facts, ALLOWED_PER_APP_SINCE);
      return { severity: "step", params: { perApp: perApp === null ? "unknown" : perApp ? "yes" : "no" } };
    },
  },
  {
    code: "debuggable",
    severities: ["note"],
    source: "https://developer.android.com/guide/topics/manifest/application-element#debug",
    judge: ({ installer: { android } }) => (android.debuggable ? { severity: "note" } : null),
  },
  {
    code: "page_size",
    severities: ["note"],
    source: "https://developer.android.com/guide/practices/page-sizes",
    judge: (facts) =>
      facts.installer.android.pageAligned === false && hasLevel(facts, LARGE_PAGES_SINCE) === true
        ? { severity: "note" }
        : null,
  },
  {
    // The pages of the platform differ in whether this also applies to files from outside of stores.
    code: "developer_verification",
    severities: ["note"],
    source: "https://developer.android.com/developer-verification/guides/faq",
    judge: ({ now }) => (now.getTime() >= VERIFICATION_SINCE ? { severity: "note" } : null),
  },
]);

/** On iPhones and iPads, none of these says more than that the file is for another system. */
const onAndroid = <Code extends string>({ judge, ...rule }: Rule<Code, ApkFacts>): Rule<Code> => ({
  ...rule,
  judge: (facts) => (isForAndroid(facts) ? judge(facts) : null),
});

function isForAndroid(facts: VerdictFacts<InstallerFacts>): facts is VerdictFacts<ApkFacts> {
  const { os } = facts.device;
  return facts.installer.kind !== "ipa" && (os === "android" || os === "desktop");
}

export const ANDROID_RULES = APK_RULES.map(onAndroid);
