import {
  DESKTOP,
  type DeviceFacts,
  type InstallerFacts,
  installVerdict,
  REASON_CODES,
  type Reason,
} from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor, translatorFor } from "@/lib/kernel/i18n/translator";
import { noteKey, notesForTesters, reasonValues, refusalKey } from "../rules";

const NOW = new Date("2026-11-20T12:00:00Z");

/** The codes by whether they are refusals, notes or, as an older system is, both. */
const BOTH: readonly string[] = ["system_too_old"];
const FOR: Readonly<Record<string, readonly string[]>> = {
  wrong_system: ["ios", "android"],
  device_family: ["ipad", "other"],
};

describe("the words of the reasons", () => {
  it.each(LOCALES)("exist in %s for each code, and for none that is not", (locale) => {
    const { refused, notes } = messagesFor(locale).install;
    const refusals = Object.keys(refused).filter((key) => key !== "ask");
    const noted = Object.keys(notes);
    const keysOf = (code: Reason["code"]) =>
      (FOR[code] ?? [""]).map((system) => refusalKey({ code, params: { for: system } }));
    const codes = REASON_CODES.filter((code) => code !== "desktop");
    const refusing = codes.filter((code) => keysOf(code).some((key) => refusals.includes(key)));
    const noting = codes.filter((code) => noted.includes(noteKey({ code })));
    expect(refusing.filter((code) => noting.includes(code))).toEqual(BOTH);
    expect([...new Set([...refusing, ...noting])].sort()).toEqual([...codes].sort());
    expect(refusing.flatMap(keysOf).sort()).toEqual(refusals.sort());
    expect([...noting].sort()).toEqual(noted.sort());
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
    const installer: InstallerFacts = {
      kind: "apk",
      minOs: "21",
      buildNumber: "1",
      signingSha256: ["00"],
      android: { ...android, testOnly: null, pageAligned: null },
    };
    const phone: DeviceFacts = { ...DESKTOP, os: "android", osVersion: "34" };
    const [reason] = installVerdict(installer, phone, { now: NOW }).reasons as [Reason];
    const text = translatorFor("en")(
      `install.refused.${refusalKey(reason)}.description`,
      reasonValues(reason, "apk", NOW),
    );
    expect(text).toBe(
      "The app targets API level 22, and this device installs apps from 23 on. Raise targetSdk and publish a new build.",
    );
  });
});
