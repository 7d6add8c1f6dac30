import {
  DESKTOP,
  type DeviceFacts,
  drawingOf,
  drawingShapes,
  type InstallerFacts,
  installVerdict,
  REASON_CODES,
  type Reason,
  reasonValues,
  reasonWords,
} from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor, translatorFor } from "@/lib/kernel/i18n/translator";
import { notesForTesters, reasonKey } from "../rules";

const NOW = new Date("2026-11-20T12:00:00Z");

/** The values on which the words of a code depend, if they do. */
const VARIANTS: Partial<Record<Reason["code"], Pick<Reason, "severity" | "params">[]>> = {
  wrong_system: ["ios", "android"].map((system) => ({ severity: "blocks", params: { for: system } })),
  desktop: ["ios", "android"].map((system) => ({ severity: "note", params: { for: system } })),
  device_family: ["ipad", "other"].map((family) => ({ severity: "blocks", params: { for: family } })),
  system_too_old: [
    { severity: "blocks", params: { needed: "17.5", found: "16" } },
    { severity: "unknown", params: { needed: "17.5" } },
  ],
  unsigned: ["none", "broken"].map((signature) => ({ severity: "blocks", params: { signature } })),
  wrong_architecture: [
    { severity: "blocks", params: {} },
    { severity: "unknown", params: { wanted: "arm64-v8a" } },
  ],
  target_sdk_too_low: [
    { severity: "blocks", params: {} },
    { severity: "unknown", params: {} },
  ],
  resources_not_mappable: ["compressed", "unaligned"].map((how) => ({ severity: "blocks", params: { how } })),
  other_device_type: ["watch", "tv", "car", "headset"].map((type) => ({ severity: "unknown", params: { for: type } })),
  unknown_sources: ["yes", "no", "unknown"].map((perApp) => ({ severity: "step", params: { perApp } })),
  enterprise_trust: ["yes", "no", "unknown"].map((restarts) => ({ severity: "step", params: { restarts } })),
};
const VALUES = {
  names: "armv7",
  count: 12,
  target: 22,
  needed: "23",
  since: 34,
  name: "Baklava",
  profile: "com.other.app",
  app: "com.example.app",
  build: "4",
  installed: "5",
  at: "2026-11-22T12:00:00Z",
};
const ALL: Reason[] = REASON_CODES.flatMap((code) =>
  (VARIANTS[code] ?? [{ severity: "blocks", params: {} }]).map((one) => ({
    code,
    severity: one.severity,
    params: { ...VALUES, ...one.params },
  })),
);

describe("the words of the reasons", () => {
  it.each(LOCALES)("exist in %s for each code and variant, and for none that is not", (locale) => {
    const keys = Object.keys(messagesFor(locale).install.reasons);
    expect([...new Set(ALL.map(reasonKey))].sort()).toEqual(keys.sort());
    for (const reason of ALL) {
      const { title, detail, steps } = reasonWords(translatorFor(locale), reason, "apk", NOW);
      for (const text of [title, detail, ...steps]) {
        expect(text, `${locale} ${reason.code}`).not.toMatch(/[{}]|undefined|install\.reasons/);
      }
      expect(title.length, `${locale} ${reason.code}`).toBeLessThanOrEqual(70);
      expect(title, `${locale} ${reason.code}`).not.toMatch(/[.!]$/);
      for (const text of [detail, ...steps]) expect(text, `${locale} ${reason.code}`).toMatch(/[.»”]$/);
      // What blocks or is to be done says how.
      const isDone = reason.code === "device_registered";
      expect(steps.length > 0, `${locale} ${reason.code}`).toBe(!isDone);
    }
  });

  it.each(LOCALES)("have a described drawing in %s where a screen of the system is meant", (locale) => {
    const names = ALL.map(drawingOf).filter((name) => name !== null);
    const { drawings } = messagesFor(locale).install;
    expect([...new Set(names)].sort()).toEqual(Object.keys(drawings).sort());
    for (const name of names) expect(drawingShapes(name)).toMatch(/^<rect/);
  });

  it("differ before and from iOS 18 on where a developer is trusted", () => {
    const steps = (restarts: string) =>
      reasonWords(
        translatorFor("en"),
        { code: "enterprise_trust", severity: "step", params: { restarts } },
        "ipa",
        NOW,
      ).steps.join(" ");
    expect(steps("yes")).toContain("Allow & Restart");
    expect(steps("no")).not.toMatch(/restart/i);
    expect(steps("unknown")).toContain("From iOS 18 on");
  });

  it("of what only publishers can change are not for testers", () => {
    const note = (code: Reason["code"]): Reason => ({ code, severity: "note", params: {} });
    expect(notesForTesters([note("debuggable"), note("unknown_sources")])).toEqual([note("unknown_sources")]);
  });

  it("name a version as people do, and the days that are left", () => {
    const needed = { params: { needed: "35" } };
    expect(reasonValues(needed, "apk", NOW)).toEqual({ needed: "35", system: "Android 15" });
    expect(reasonValues({ params: { needed: "99" } }, "apk", NOW).system).toBe("API 99");
    expect(reasonValues({ params: { needed: "17.5" } }, "ipa", NOW).system).toBe("iOS 17.5");
    expect(reasonValues({ params: { at: "2026-11-22T13:00:00Z" } }, "ipa", NOW).days).toBe(2);
  });

  it("contain the values of a verdict", () => {
    const android = { targetSdk: 22, abis: [], signatureSchemes: [], split: false, debuggable: false };
    const unread = {
      testOnly: null,
      pageAligned: null,
      continuedSha256: null,
      resourceTable: null,
      previewCodename: null,
    };
    const installer: InstallerFacts = {
      kind: "apk",
      identifier: "com.example.app",
      minOs: "21",
      buildNumber: "1",
      signingSha256: ["00"],
      android: { ...android, ...unread, unloadableAbis: [], requiredLibraries: [], deviceTypes: [] },
    };
    const phone: DeviceFacts = { ...DESKTOP, os: "android", osVersion: "34" };
    const [reason] = installVerdict(installer, phone, { now: NOW }).reasons as [Reason];
    expect(reasonWords(translatorFor("en"), reason, "apk", NOW)).toEqual({
      title: "Made for an older Android",
      detail: "The app targets API level 22, and this device installs apps from 23 on.",
      steps: ["Raise targetSdk and publish a new build."],
    });
  });
});
