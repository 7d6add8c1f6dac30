import { describe, expect, it } from "vitest";
import type { Device } from "./device";
import { type InstallFacts, installability, installFacts } from "./installability";

const NOW = new Date("2026-11-20T12:00:00Z");
const OPTIONS = { now: NOW, mayDownload: true };
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();

const IPHONE: Device = { os: "ios", osVersion: "18.0", inAppBrowser: false };
const IPAD: Device = { os: "ipados", osVersion: "18.0", inAppBrowser: false };
const ANDROID: Device = { os: "android", osVersion: "34", inAppBrowser: false };
const DESKTOP: Device = { os: "desktop", osVersion: null, inAppBrowser: false };

function ipa(changes: Partial<InstallFacts> = {}): InstallFacts {
  return {
    kind: "ipa",
    iosEnabled: true,
    profileType: "ad-hoc",
    profileExpiry: inDays(200),
    deviceCount: 12,
    deviceFamilies: ["iphone", "ipad"],
    minOs: "16.0",
    split: false,
    signed: true,
    https: true,
    ...changes,
  };
}

function apk(changes: Partial<InstallFacts> = {}): InstallFacts {
  return {
    ...ipa(),
    kind: "apk",
    profileType: null,
    profileExpiry: null,
    deviceCount: null,
    deviceFamilies: [],
    minOs: "24",
    iosEnabled: false,
    ...changes,
  };
}

const reasonOf = (release: InstallFacts, device: Device, options = OPTIONS) => {
  const outcome = installability(release, device, options);
  return outcome.verdict === "refused" ? outcome.reason : outcome.verdict;
};
const notesOf = (release: InstallFacts, device: Device) => {
  const outcome = installability(release, device, OPTIONS);
  return outcome.verdict === "refused" ? [] : outcome.notes;
};

describe("installability on an iPhone or iPad", () => {
  it("installs an ad-hoc build, and says that only its registered devices can", () => {
    const expected = {
      verdict: "install",
      way: "itms-services",
      notes: [{ kind: "registered-devices", count: 12 }],
    };
    expect(installability(ipa(), IPHONE, OPTIONS)).toEqual(expected);
    expect(installability(ipa(), IPAD, OPTIONS)).toEqual(expected);
  });

  it("asks for developer mode with a development profile, from iOS 16 on", () => {
    const release = ipa({ profileType: "development", deviceCount: 3, minOs: "14.0" });
    expect(notesOf(release, IPHONE)).toEqual([{ kind: "registered-devices", count: 3 }, { kind: "developer-mode" }]);
    expect(notesOf(release, { ...IPHONE, osVersion: "15.8" })).toEqual([{ kind: "registered-devices", count: 3 }]);
  });

  it("asks to trust the developer of an enterprise build", () => {
    expect(notesOf(ipa({ profileType: "enterprise", deviceCount: null }), IPHONE)).toEqual([
      { kind: "trust-developer" },
    ]);
  });

  it("warns of a profile that ends within two weeks", () => {
    const profileExpiry = inDays(9);
    expect(notesOf(ipa({ profileExpiry }), IPHONE)).toContainEqual({ kind: "ends-soon", at: profileExpiry });
    expect(notesOf(ipa({ profileExpiry: inDays(15) }), IPHONE)).toHaveLength(1);
  });

  it("warns within the browser of another app", () => {
    expect(notesOf(ipa(), { ...IPHONE, inAppBrowser: true })[0]).toEqual({ kind: "in-app-browser" });
  });

  it("refuses an expired profile, whatever its type", () => {
    for (const profileType of ["development", "ad-hoc", "enterprise"] as const) {
      expect(reasonOf(ipa({ profileType, profileExpiry: inDays(-1) }), IPHONE)).toBe("expired-profile");
    }
    expect(reasonOf(ipa({ profileExpiry: NOW.toISOString() }), IPHONE)).toBe("expired-profile");
  });

  it("refuses an App Store profile, no profile, and one that is not for iPhones or iPads", () => {
    expect(reasonOf(ipa({ profileType: "app-store", deviceCount: null }), IPHONE)).toBe("app-store-profile");
    expect(reasonOf(ipa({ profileType: null, profileExpiry: null }), IPHONE)).toBe("no-profile");
    expect(reasonOf(ipa({ deviceFamilies: ["tv"] }), IPHONE)).toBe("other-device");
    expect(reasonOf(ipa({ deviceFamilies: ["ipad"] }), IPHONE)).toBe("ipad-only");
    expect(reasonOf(ipa({ deviceFamilies: ["ipad"] }), IPAD)).toBe("install");
    expect(reasonOf(ipa({ deviceFamilies: ["iphone"] }), IPAD)).toBe("install");
    expect(reasonOf(ipa({ deviceFamilies: [] }), IPHONE)).toBe("install");
  });

  it("refuses while the flag is off, and over plain HTTP", () => {
    expect(reasonOf(ipa({ iosEnabled: false }), IPHONE)).toBe("ios-disabled");
    expect(reasonOf(ipa({ https: false }), IPHONE)).toBe("needs-https");
  });

  it("names what cannot be changed here before what can", () => {
    expect(reasonOf(ipa({ iosEnabled: false, https: false, profileExpiry: inDays(-1) }), IPHONE)).toBe(
      "expired-profile",
    );
    expect(reasonOf(ipa({ iosEnabled: false, https: false }), IPHONE)).toBe("ios-disabled");
  });

  it("refuses on an older system, and leaves the last word to the device", () => {
    expect(installability(ipa({ minOs: "18.1" }), IPHONE, OPTIONS)).toEqual({
      verdict: "refused",
      reason: "old-system",
      uncertain: true,
    });
    expect(reasonOf(ipa({ minOs: "18.0" }), IPHONE)).toBe("install");
    expect(reasonOf(ipa({ minOs: "18.1" }), { ...IPHONE, osVersion: null })).toBe("install");
    expect(reasonOf(ipa({ minOs: null }), IPHONE)).toBe("install");
  });

  it("refuses installers of Android", () => {
    expect(reasonOf(apk(), IPHONE)).toBe("android-only");
    expect(reasonOf(apk({ kind: "aab" }), IPAD)).toBe("android-only");
  });
});

describe("installability on Android", () => {
  it("installs an APK by its download", () => {
    expect(installability(apk(), ANDROID, OPTIONS)).toEqual({
      verdict: "install",
      way: "apk",
      notes: [{ kind: "unknown-sources" }],
    });
  });

  it("does not need HTTPS or the flag for iOS", () => {
    expect(reasonOf(apk({ https: false, iosEnabled: false }), ANDROID)).toBe("install");
  });

  it("refuses a bundle, one of a set of APKs, one without a signature, and installers of iOS", () => {
    expect(reasonOf(apk({ kind: "aab" }), ANDROID)).toBe("bundle");
    expect(reasonOf(apk({ split: true }), ANDROID)).toBe("split");
    expect(reasonOf(apk({ signed: false }), ANDROID)).toBe("unsigned");
    expect(reasonOf(ipa(), ANDROID)).toBe("ios-only");
  });

  it("refuses on an older system where the browser tells it", () => {
    expect(reasonOf(apk({ minOs: "35" }), ANDROID)).toBe("old-system");
    expect(reasonOf(apk({ minOs: "35" }), { ...ANDROID, osVersion: null })).toBe("install");
  });
});

describe("installability on a desktop", () => {
  it("leads to a phone", () => {
    expect(installability(ipa(), DESKTOP, OPTIONS)).toMatchObject({ verdict: "other-device", on: "ios" });
    expect(installability(apk(), DESKTOP, OPTIONS)).toMatchObject({ verdict: "other-device", on: "android" });
  });

  it("says why where no phone would install it", () => {
    expect(reasonOf(ipa({ profileExpiry: inDays(-1) }), DESKTOP)).toBe("expired-profile");
    expect(reasonOf(ipa({ https: false }), DESKTOP)).toBe("needs-https");
    expect(reasonOf(apk({ kind: "aab" }), DESKTOP)).toBe("bundle");
  });
});

describe("installability without the right to download", () => {
  it("refuses, after what stands in everyone's way", () => {
    const options = { ...OPTIONS, mayDownload: false };
    expect(reasonOf(apk(), ANDROID, options)).toBe("not-allowed");
    expect(reasonOf(ipa(), DESKTOP, options)).toBe("not-allowed");
    expect(reasonOf(ipa({ profileExpiry: inDays(-1) }), IPHONE, options)).toBe("expired-profile");
  });
});

describe("installFacts", () => {
  it("takes what decides from a release", () => {
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
    const release = {
      installer,
      iosEnabled: false,
      minOs: "24",
      installUrl: "http://console.example.com/releases?id=1",
    };
    expect(installFacts(release)).toMatchObject({ kind: "apk", split: true, signed: false, https: false, minOs: "24" });
  });
});
