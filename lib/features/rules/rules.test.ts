import type { InstallerDetails } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { RuleName } from "@/lib/kernel/rule-names";
import { brokenRules, compareVersions, type RuledBuild } from "./rules";
import { NO_RULES, type Rules, updateEnvironmentRulesInput } from "./schema";

const NOW = new Date("2026-11-25T12:00:00Z");
const HASH = "ab".repeat(32);

const APK: InstallerDetails = {
  kind: "apk",
  signingSha256: [HASH],
  minSdk: 24,
  targetSdk: 35,
  permissions: ["android.permission.INTERNET"],
  abis: [],
  signatureSchemes: ["v2"],
  split: false,
  debuggable: false,
};
const IPA: InstallerDetails = {
  kind: "ipa",
  signingSha256: [HASH],
  deviceFamilies: ["iphone"],
  sdkVersion: "18.0",
  profileName: null,
  profileType: "ad-hoc",
  team: null,
  teamName: null,
  profileCreated: null,
  profileExpiry: "2026-12-25T12:00:00.000Z",
  deviceCount: 1,
  entitlements: { "aps-environment": "production" },
  usageDescriptions: [],
};

const build = (installer: object = {}, more: Partial<RuledBuild> = {}, base: InstallerDetails = APK): RuledBuild => ({
  version: "1.2",
  buildNumber: "10",
  size: 1_000,
  minOs: "24",
  description: "Corrects the login",
  installer: { ...base, ...installer } as InstallerDetails,
  ...more,
});
const before = build({}, { version: "1.1", buildNumber: "9" });
const beforeIpa = build({}, { version: "1.1", buildNumber: "9", minOs: "16.0" }, IPA);
const ipa = (installer: object = {}, more: Partial<RuledBuild> = {}) =>
  build(installer, { minOs: "16.0", ...more }, IPA);

/** What a rule finds, if it is the only one. */
function found(rule: RuleName, after: RuledBuild, earlier: RuledBuild | null, params: object = {}) {
  const rules = { ...NO_RULES, [rule]: { ...NO_RULES[rule], mode: "refuse", ...params } } as Rules;
  const broken = brokenRules(rules, after, earlier, NOW);
  expect(broken.every(({ rule: name }) => name === rule)).toBe(true);
  return broken[0]?.params ?? null;
}

describe("a rule", () => {
  it.each<[RuleName, string, RuledBuild, RuledBuild | null, object, object | null]>([
    [
      "newDangerousPermission",
      "a new one",
      build({ permissions: ["android.permission.CAMERA"] }),
      before,
      {},
      { names: "android.permission.CAMERA" },
    ],
    [
      "newDangerousPermission",
      "one that people are not asked about",
      build({ permissions: ["android.permission.VIBRATE"] }),
      before,
      {},
      null,
    ],
    [
      "newDangerousPermission",
      "the first build",
      build({ permissions: ["android.permission.CAMERA"] }),
      null,
      {},
      null,
    ],
    [
      "newDangerousPermission",
      "a usage description",
      ipa({ usageDescriptions: ["NSCameraUsageDescription"] }),
      beforeIpa,
      {},
      { names: "NSCameraUsageDescription" },
    ],
    [
      "newDangerousPermission",
      "details that do not tell",
      ipa({ usageDescriptions: ["NSCameraUsageDescription"] }),
      build({ usageDescriptions: undefined }, {}, IPA),
      {},
      null,
    ],
    ["growthPercent", "more than the limit", build({}, { size: 1_201 }), before, {}, { percent: 20, limit: 20 }],
    ["growthPercent", "exactly the limit", build({}, { size: 1_200 }), before, {}, null],
    ["growthPercent", "the first build", build({}, { size: 1_201 }), null, {}, null],
    ["signingCertificates", "that of the one before", build(), before, {}, null],
    [
      "signingCertificates",
      "another one",
      build({ signingSha256: ["cd".repeat(32)] }),
      before,
      {},
      { found: "cd".repeat(32) },
    ],
    ["signingCertificates", "one that is not listed", build(), before, { sha256: ["ef".repeat(32)] }, { found: HASH }],
    ["signingCertificates", "no signature", build({ signingSha256: [] }), before, { sha256: [HASH] }, { found: "–" }],
    ["debuggable", "a debuggable app", build({ debuggable: true }), null, {}, {}],
    ["debuggable", "get-task-allow", ipa({ entitlements: { "get-task-allow": true } }), null, {}, {}],
    ["debuggable", "another app", build(), null, {}, null],
    ["minimumSdkRaised", "a newer system", build({}, { minOs: "26" }), before, {}, { from: "24", to: "26" }],
    ["minimumSdkRaised", "an older system", ipa({}, { minOs: "9.0" }), beforeIpa, {}, null],
    ["profileDays", "too few days", ipa(), null, { days: 31 }, { days: 30, limit: 31 }],
    ["profileDays", "enough days", ipa(), null, { days: 30 }, null],
    ["profileDays", "an app of Android", build(), null, { days: 30 }, null],
    ["versionMustRise", "a higher version", build({}, { version: "1.10" }), build({}, { version: "1.9" }), {}, null],
    [
      "versionMustRise",
      "a higher build number",
      build({}, { buildNumber: "10" }),
      build({}, { buildNumber: "9" }),
      {},
      null,
    ],
    ["versionMustRise", "the same", build(), build(), {}, { found: "1.2 (10)", before: "1.2 (10)" }],
    ["notesRequired", "too short notes", build({}, { description: " fix " }), null, {}, { count: 3, limit: 20 }],
    ["notesRequired", "long notes", build({}, { description: "x".repeat(20) }), null, {}, null],
    [
      "entitlementsChanged",
      "another value",
      ipa({ entitlements: { "aps-environment": "development" } }),
      beforeIpa,
      {},
      { names: "aps-environment" },
    ],
    ["entitlementsChanged", "the same", ipa(), beforeIpa, {}, null],
  ])("%s: %s", (rule, _, after, earlier, params, expected) => {
    expect(found(rule, after, earlier, params)).toEqual(expected);
  });

  it("finds nothing while it is off", () => {
    expect(brokenRules(NO_RULES, build({ debuggable: true }), before, NOW)).toEqual([]);
  });
});

it("versions are compared part by part, numbers as numbers", () => {
  expect(compareVersions("1.10", "1.9")).toBeGreaterThan(0);
  expect(compareVersions("1.0", "1")).toBe(0);
  expect(compareVersions("2.0-beta1", "2.0-beta2")).toBeLessThan(0);
});

it("a certificate is a SHA-256 as tools print it, and nothing else", () => {
  const parse = (sha256: string) =>
    updateEnvironmentRulesInput.safeParse({
      environmentId: "00000000-0000-7000-8000-000000000000",
      signingCertificates: { mode: "refuse", sha256: [sha256] },
    });
  const printed = (HASH.toUpperCase().match(/../g) ?? []).join(":");
  expect(parse(printed).data?.signingCertificates?.sha256).toEqual([HASH]);
  for (const wrong of ["", "ab", "g".repeat(64), `${HASH}ab`]) expect(parse(wrong).success).toBe(false);
});
