import { DESKTOP } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import type { Release } from "@/lib/features/releases/schema";
import { arrangeBuilds } from "./arrange-builds";
import type { System } from "./system";

const NOW = new Date("2026-01-01T00:00:00Z");
const IPHONE = { ...DESKTOP, os: "ios", osVersion: "18.1" } as const;
const ANDROID = { ...DESKTOP, os: "android" } as const;

function build(id: string, installer: object, more: Partial<Release> = {}): Release {
  return { id, iosEnabled: true, minOs: null, installUrl: "https://example.com", installer, ...more } as Release;
}

const PROFILE = { profileType: "ad-hoc", profileExpiry: null, deviceCount: 1, entitlements: {} };
const IPA = { kind: "ipa", ...PROFILE, deviceFamilies: ["iphone"] };
const ipa = (id: string, more: Partial<Release> = {}, installer: object = {}) =>
  build(id, { ...IPA, ...installer }, more);
const ANDROID_DETAILS = { split: false, signingSha256: ["00"], abis: [], signatureSchemes: ["v2"], targetSdk: 36 };
const apk = (id: string) => build(id, { ...ANDROID_DETAILS, kind: "apk" });
const aab = (id: string) => build(id, { ...ANDROID_DETAILS, kind: "aab" });

function arranged(releases: Release[], device: Parameters<typeof arrangeBuilds>[1], system: System | null) {
  const options = { system, mayDownload: () => true, now: NOW };
  const { latest, newer, older, others } = arrangeBuilds(releases, device, options);
  const ids = (list: Release[]) => list.map(({ id }) => id).join(" ");
  return {
    latest: latest?.id,
    newer: newer && [newer.release.id, newer.reason.code],
    older: ids(older),
    others: ids(others),
  };
}

describe("the builds of an application", () => {
  it("begin with the latest one for the device's system; bundles are never the one to install", () => {
    const releases = [aab("5"), apk("4"), ipa("3"), aab("2"), ipa("1")];
    expect(arranged(releases, IPHONE, "ios")).toEqual({ latest: "3", newer: null, older: "1", others: "5 4 2" });
    expect(arranged(releases, ANDROID, "android")).toEqual({ latest: "4", newer: null, older: "", others: "5 3 2 1" });
    expect(arranged([aab("5")], ANDROID, "android")).toEqual({
      latest: undefined,
      newer: null,
      older: "",
      others: "5",
    });
  });

  it("have the bundles of which there is an APK, unless their build has an APK of its own", () => {
    const made = { universal: { state: "ready" } } as Partial<Release>;
    const bundle = (id: string, more: Partial<Release> = {}) =>
      build(id, { ...ANDROID_DETAILS, kind: "aab" }, { ...made, ...more });
    expect(arranged([bundle("2"), ipa("1")], ANDROID, "android")).toMatchObject({ latest: "2", others: "1" });
    const [two, one] = [{ version: "2" }, { version: "1" }];
    const releases = [bundle("3", two), build("2", { ...ANDROID_DETAILS, kind: "apk" }, two), bundle("1", one)];
    expect(arranged(releases, ANDROID, "android")).toMatchObject({ latest: "2", older: "1", others: "3" });
  });

  it("skip newer ones that the device does not install, and say why", () => {
    const expired = ipa("3", {}, { profileExpiry: "2025-12-31T00:00:00Z" });
    expect(arranged([ipa("4", { minOs: "99" }), expired, ipa("2"), ipa("1")], IPHONE, "ios")).toEqual({
      latest: "2",
      newer: ["4", "system_too_old"],
      older: "1",
      others: "",
    });
  });

  it("begin with the latest one if the device installs none of them", () => {
    const over = { installUrl: "http://example.com" };
    expect(arranged([ipa("2", over), ipa("1", over)], IPHONE, "ios")).toMatchObject({ latest: "2", older: "1" });
    expect(arranged([apk("2"), ipa("1")], IPHONE, "android")).toMatchObject({ latest: "2", newer: null, others: "1" });
  });

  it("are those of the latest build's system on a computer", () => {
    expect(arranged([apk("3"), ipa("2"), apk("1")], DESKTOP, null)).toEqual({
      latest: "3",
      newer: null,
      older: "1",
      others: "2",
    });
  });
});
