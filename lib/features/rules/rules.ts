import { diffDetails, type InstallerDetails } from "@slipway/installers";
import type { RuleName } from "@/lib/kernel/rule-names";
import { DAY_MS } from "@/lib/kernel/time";
import type { Rules } from "./schema";

/** The part of a release that rules look at. */
export interface RuledBuild {
  version: string;
  buildNumber: string;
  /** Bytes. */
  size: number;
  minOs: string | null;
  description: string;
  installer: InstallerDetails;
}

/** A rule that a build breaks, with the values for its text. */
export interface BrokenRule {
  rule: RuleName;
  mode: "warn" | "refuse";
  params: Record<string, string | number>;
}

/** The permissions that Android asks people about (developer.android.com, "Permissions on Android"), by their last part. */
const DANGEROUS = new Set(
  `ACCESS_FINE_LOCATION ACCESS_COARSE_LOCATION ACCESS_BACKGROUND_LOCATION ACCESS_MEDIA_LOCATION CAMERA RECORD_AUDIO READ_CONTACTS
  WRITE_CONTACTS GET_ACCOUNTS READ_CALENDAR WRITE_CALENDAR CALL_PHONE READ_PHONE_STATE READ_PHONE_NUMBERS ANSWER_PHONE_CALLS USE_SIP
  READ_CALL_LOG WRITE_CALL_LOG PROCESS_OUTGOING_CALLS SEND_SMS RECEIVE_SMS READ_SMS RECEIVE_WAP_PUSH RECEIVE_MMS
  READ_EXTERNAL_STORAGE WRITE_EXTERNAL_STORAGE MANAGE_EXTERNAL_STORAGE READ_MEDIA_IMAGES READ_MEDIA_VIDEO READ_MEDIA_AUDIO
  READ_MEDIA_VISUAL_USER_SELECTED BLUETOOTH_SCAN BLUETOOTH_CONNECT BLUETOOTH_ADVERTISE NEARBY_WIFI_DEVICES UWB_RANGING
  BODY_SENSORS BODY_SENSORS_BACKGROUND ACTIVITY_RECOGNITION POST_NOTIFICATIONS SYSTEM_ALERT_WINDOW REQUEST_INSTALL_PACKAGES`
    .split(/\s+/)
    .map((name) => `android.permission.${name}`),
);

/** What an app can ask people for; null where the stored details do not tell. */
function askedFor({ installer }: RuledBuild): string[] | null {
  if (installer.kind === "ipa") return installer.usageDescriptions ?? null;
  return installer.permissions.filter((name) => DANGEROUS.has(name));
}

/** How many names of a list a text has. */
const NAMED = 5;

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown}, … (${names.length})` : shown;
}

/** Compares two versions part by part, numbers as numbers: below 0 if `a` is the lower one. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string): string[] => text.match(/\d+|[A-Za-z]+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index] ?? "0", right[index] ?? "0"];
    const [number, otherNumber] = [Number(one), Number(other)];
    if (Number.isNaN(number) || Number.isNaN(otherNumber)) {
      if (one !== other) return one < other ? -1 : 1;
    } else if (number !== otherNumber) return number - otherNumber;
  }
  return 0;
}

type Check = (build: RuledBuild, before: RuledBuild | null, rules: Rules, now: Date) => BrokenRule["params"] | null;

const CHECKS: Record<RuleName, Check> = {
  newDangerousPermission(build, before) {
    const [asked, askedBefore] = [askedFor(build), before && askedFor(before)];
    if (!asked || !askedBefore) return null;
    const added = asked.filter((name) => !askedBefore.includes(name));
    return added.length > 0 ? { names: named(added) } : null;
  },
  growthPercent({ size }, before, { growthPercent }) {
    if (!before || before.size === 0) return null;
    const percent = Math.round((100 * (size - before.size)) / before.size);
    // By the exact sizes: a growth that only rounds up to the limit is none.
    return size * 100 > before.size * (100 + growthPercent.percent) ? { percent, limit: growthPercent.percent } : null;
  },
  signingCertificates({ installer }, before, { signingCertificates }) {
    const accepted =
      signingCertificates.sha256.length > 0 ? signingCertificates.sha256 : before?.installer.signingSha256;
    if (!accepted || accepted.length === 0) return null;
    const found = installer.signingSha256;
    return found.some((hash) => accepted.includes(hash)) ? null : { found: found[0] ?? "–" };
  },
  debuggable({ installer }) {
    const isDebuggable =
      installer.kind === "ipa" ? installer.entitlements["get-task-allow"] === true : installer.debuggable;
    return isDebuggable ? {} : null;
  },
  minimumSdkRaised({ minOs }, before) {
    if (!before || minOs === null || minOs === before.minOs) return null;
    return compareVersions(minOs, before.minOs ?? "0") > 0 ? { from: before.minOs ?? "–", to: minOs } : null;
  },
  profileDays({ installer }, _before, { profileDays }, now) {
    if (installer.kind !== "ipa" || installer.profileExpiry === null) return null;
    const days = Math.floor((Date.parse(installer.profileExpiry) - now.getTime()) / DAY_MS);
    return days < profileDays.days ? { days: Math.max(0, days), limit: profileDays.days } : null;
  },
  versionMustRise(build, before) {
    if (!before) return null;
    const byVersion = compareVersions(build.version, before.version);
    const rises = byVersion > 0 || (byVersion === 0 && compareVersions(build.buildNumber, before.buildNumber) > 0);
    const name = ({ version, buildNumber }: RuledBuild) => `${version} (${buildNumber})`;
    return rises ? null : { found: name(build), before: name(before) };
  },
  notesRequired({ description }, _before, { notesRequired }) {
    const count = Array.from(description.trim()).length;
    return count < notesRequired.characters ? { count, limit: notesRequired.characters } : null;
  },
  entitlementsChanged({ installer }, before) {
    if (!before || installer.kind !== "ipa" || before.installer.kind !== "ipa") return null;
    const { added, removed, changed } = diffDetails(before.installer, installer).entitlements;
    const names = [...added, ...removed, ...changed];
    return names.length > 0 ? { names: named(names) } : null;
  },
};

/**
 * The rules that a build breaks, in the order of their table.
 * @param before the build before it in the environment; null for the first one, which breaks no rule that compares
 */
export function brokenRules(rules: Rules, build: RuledBuild, before: RuledBuild | null, now: Date): BrokenRule[] {
  return (Object.keys(CHECKS) as RuleName[]).flatMap((rule) => {
    const { mode } = rules[rule];
    if (mode === "off") return [];
    const params = CHECKS[rule](build, before, rules, now);
    return params ? [{ rule, mode, params }] : [];
  });
}
