import type { InstallerDetails } from "../schema";
import { ANDROID_RULES } from "./android-rules";
import { IOS_RULES } from "./ios-rules";
import { FIRST_RULES, LAST_RULES } from "./shared-rules";
import {
  type ConsoleFacts,
  type DeviceFacts,
  type InstallerFacts,
  type ReasonParams,
  SEVERITIES,
  type Severity,
} from "./types";

/** The rules of a verdict. Reasons of one severity are listed in their order. */
export const VERDICT_RULES = [...FIRST_RULES, ...IOS_RULES, ...ANDROID_RULES, ...LAST_RULES];

/** A stable code for a reason of a verdict. */
export type ReasonCode = (typeof VERDICT_RULES)[number]["code"];
export const REASON_CODES: readonly ReasonCode[] = [...new Set(VERDICT_RULES.map(({ code }) => code))];

export interface Reason {
  code: ReasonCode;
  severity: Severity;
  params: ReasonParams;
}

export const VERDICTS = ["installs", "installs_after_steps", "does_not_install", "unknown"] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** The answer to "does this install on that device?". */
export interface InstallVerdict {
  verdict: VerdictName;
  /** On iOS by an itms-services link, on Android by opening the APK; null where it is not installed from this device. */
  way: "itms-services" | "apk" | null;
  /** What blocks comes first, then what is not known, then steps and notes. */
  reasons: Reason[];
}

/**
 * Decides whether an installer installs on a device, why not, and what is to be done. It claims nothing of what is not
 * known: a reason is then left out, or has the severity `unknown` if it decides.
 */
export function installVerdict(
  installer: InstallerFacts,
  device: DeviceFacts,
  { now, console = {} }: { now: Date; console?: ConsoleFacts },
): InstallVerdict {
  const facts = { installer, device, console, now };
  const found = VERDICT_RULES.flatMap(({ code, judge }) => {
    const finding = judge(facts);
    return finding ? [{ code, severity: finding.severity, params: finding.params ?? {} }] : [];
  });
  const reasons = found.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const verdict = VERDICT_OF[reasons[0]?.severity ?? "note"];
  const isOpenable = verdict !== "does_not_install" && device.os !== "desktop";
  return { verdict, way: isOpenable ? (installer.kind === "ipa" ? "itms-services" : "apk") : null, reasons };
}

/** The verdict by the gravest severity. */
const VERDICT_OF: Readonly<Record<Severity, VerdictName>> = {
  blocks: "does_not_install",
  unknown: "unknown",
  step: "installs_after_steps",
  note: "installs",
};

/**
 * The facts of an installer that decide where it installs.
 * @param columns what is kept beside the details: its identifier, the lowest system that installs it, and its build number
 */
export function installerFacts(
  installer: InstallerDetails,
  { identifier, minOs, buildNumber }: { identifier: string; minOs: string | null; buildNumber: string },
): InstallerFacts {
  const { signingSha256 } = installer;
  const common = { identifier, minOs, buildNumber, signingSha256 };
  if (installer.kind === "ipa") {
    const { kind, profileType, profileExpiry, deviceFamilies } = installer;
    // Details that were stored before count the devices that a profile for all lists.
    const deviceCount = profileType === "enterprise" ? null : installer.deviceCount;
    const { signed = null, simulator = null, certificateExpiry = null } = installer;
    const { requiredCapabilities = [], architectures = [], platforms = [], unpackable = null } = installer;
    const { profilePlatforms = [], entitlements } = installer;
    const granted = entitlements["application-identifier"];
    const profileIdentifier = typeof granted === "string" ? granted : null;
    const profile = { profileType, profileExpiry, deviceCount, certificateExpiry, profilePlatforms, profileIdentifier };
    const executable = {
      signed,
      simulator,
      requiredCapabilities,
      architectures,
      platforms,
      deviceFamilies,
      unpackable,
    };
    return { ...common, kind, ios: { ...profile, ...executable } };
  }
  const { kind, targetSdk, abis, signatureSchemes, split, debuggable } = installer;
  const { testOnly = null, pageAligned = null, continuedSha256 = null } = installer;
  const { resourceTable = null, unloadableAbis = [], previewCodename = null } = installer;
  const { requiredLibraries = [], deviceTypes = [] } = installer;
  const signature = { signatureSchemes, continuedSha256 };
  const storage = { pageAligned, resourceTable, unloadableAbis };
  const needs = { targetSdk, abis, previewCodename, requiredLibraries, deviceTypes };
  return { ...common, kind, android: { ...needs, ...signature, ...storage, split, debuggable, testOnly } };
}
