import { describe, expect, it } from "vitest";
import {
  type BrowserDevice,
  type ReleaseInstallFacts,
  releaseInstallability,
  releaseInstallFacts,
} from "./installability";

const NOW = new Date("2026-11-20T12:00:00Z");
const OPTIONS = { now: NOW, mayDownload: true };

const IPHONE: BrowserDevice = { os: "ios", osVersion: "18.0", inAppBrowser: false };
const ANDROID: BrowserDevice = { os: "android", osVersion: "34", inAppBrowser: false };
const DESKTOP: BrowserDevice = { os: "desktop", osVersion: null, inAppBrowser: false };

function ipa(changes: Partial<ReleaseInstallFacts> = {}): ReleaseInstallFacts {
  return {
    kind: "ipa",
    iosEnabled: true,
    profileType: "ad-hoc",
    profileExpiry: "2027-06-01T00:00:00Z",
    deviceCount: 12,
    deviceFamilies: ["iphone", "ipad"],
    minOs: "16.0",
    split: false,
    signed: true,
    https: true,
    ...changes,
  };
}

function apk(changes: Partial<ReleaseInstallFacts> = {}): ReleaseInstallFacts {
  const noProfile = { profileType: null, profileExpiry: null, deviceCount: null, deviceFamilies: [] };
  return { ...ipa(), kind: "apk", ...noProfile, minOs: "24", iosEnabled: false, ...changes };
}

const reasonOf = (release: ReleaseInstallFacts, device: BrowserDevice, options = OPTIONS) => {
  const outcome = releaseInstallability(release, device, options);
  return outcome.verdict === "refused" ? outcome.reason : outcome.verdict;
};

describe("releaseInstallability", () => {
  it("refuses iOS while the flag is off, and over plain HTTP", () => {
    expect(reasonOf(ipa(), IPHONE)).toBe("install");
    expect(reasonOf(ipa({ iosEnabled: false }), IPHONE)).toBe("ios-disabled");
    expect(reasonOf(ipa({ https: false }), IPHONE)).toBe("needs-https");
    expect(reasonOf(ipa({ https: false }), DESKTOP)).toBe("needs-https");
  });

  it("does not need HTTPS or the flag for Android", () => {
    expect(reasonOf(apk({ https: false, iosEnabled: false }), ANDROID)).toBe("install");
  });

  it("names what cannot be changed here before what can", () => {
    const expired = "2026-11-19T12:00:00Z";
    expect(reasonOf(ipa({ iosEnabled: false, https: false, profileExpiry: expired }), IPHONE)).toBe("expired-profile");
    expect(reasonOf(ipa({ iosEnabled: false, https: false }), IPHONE)).toBe("ios-disabled");
  });

  it("refuses without the right to download, after what applies to everyone", () => {
    const options = { ...OPTIONS, mayDownload: false };
    expect(reasonOf(apk(), ANDROID, options)).toBe("not-allowed");
    expect(reasonOf(ipa(), DESKTOP, options)).toBe("not-allowed");
    expect(reasonOf(ipa({ https: false }), IPHONE, options)).toBe("needs-https");
    expect(reasonOf(ipa({ profileExpiry: "2026-11-19T12:00:00Z" }), IPHONE, options)).toBe("expired-profile");
  });

  it("warns first of all in the browser of another app", () => {
    for (const [release, device] of [
      [ipa(), IPHONE],
      [apk(), ANDROID],
    ] as const) {
      const notes = releaseInstallability(release, { ...device, inAppBrowser: true }, OPTIONS);
      expect(notes).toMatchObject({ verdict: "install", notes: [{ kind: "in-app-browser" }, {}] });
    }
  });
});

describe("releaseInstallFacts", () => {
  it("takes from a release what decides where it installs", () => {
    const installer = {
      kind: "apk" as const,
      signingSha256: [],
      minSdk: 24,
      targetSdk: 35,
      permissions: [],
      abis: [],
      signatureSchemes: [],
      split: true,
      debuggable: false,
    };
    const installUrl = "http://console.example.com/releases?id=1";
    expect(releaseInstallFacts({ installer, iosEnabled: false, minOs: "24", installUrl })).toMatchObject({
      kind: "apk",
      split: true,
      signed: false,
      https: false,
      minOs: "24",
    });
  });
});
