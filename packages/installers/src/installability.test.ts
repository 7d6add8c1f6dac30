import { describe, expect, it } from "vitest";
import { type Device, type InstallFacts, installability, installFacts, profileEnd } from "./installability";
import type { InstallerDetails } from "./schema";

const NOW = new Date("2026-11-20T12:00:00Z");
const OPTIONS = { now: NOW };
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();

const IPHONE: Device = { os: "ios", osVersion: "18.0" };
const IPAD: Device = { os: "ipados", osVersion: "18.0" };
const ANDROID: Device = { os: "android", osVersion: "34" };
const DESKTOP: Device = { os: "desktop", osVersion: null };

const IPA_DETAILS = {
  kind: "ipa" as const,
  signingSha256: [],
  deviceFamilies: ["iphone" as const],
  sdkVersion: null,
  profileName: "Acme",
  team: null,
  teamName: null,
  profileCreated: null,
  deviceCount: 12,
  entitlements: {},
};

function ipa(changes: Partial<InstallFacts> = {}): InstallFacts {
  return {
    kind: "ipa",
    profileType: "ad-hoc",
    profileExpiry: inDays(200),
    deviceCount: 12,
    deviceFamilies: ["iphone", "ipad"],
    minOs: "16.0",
    split: false,
    signed: true,
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
    ...changes,
  };
}

const reasonOf = (release: InstallFacts, device: Device, policy: "closed" | null = null) => {
  const outcome = installability(release, device, { ...OPTIONS, policy });
  return outcome.verdict === "refused" ? outcome.reason : outcome.verdict;
};
const notesOf = (release: InstallFacts, device: Device) => {
  const outcome = installability(release, device, OPTIONS);
  return outcome.verdict === "refused" ? [] : outcome.notes;
};

describe("installability on an iPhone or iPad", () => {
  it("installs an ad-hoc build with a note about registered devices", () => {
    const expected = {
      verdict: "install",
      way: "itms-services",
      notes: [{ kind: "registered-devices", count: 12 }],
    };
    expect(installability(ipa(), IPHONE, OPTIONS)).toEqual(expected);
    expect(installability(ipa(), IPAD, OPTIONS)).toEqual(expected);
  });

  it("notes developer mode for a development profile from iOS 16 on", () => {
    const release = ipa({ profileType: "development", deviceCount: 3, minOs: "14.0" });
    expect(notesOf(release, IPHONE)).toEqual([{ kind: "registered-devices", count: 3 }, { kind: "developer-mode" }]);
    expect(notesOf(release, { ...IPHONE, osVersion: "15.8" })).toEqual([{ kind: "registered-devices", count: 3 }]);
  });

  it("notes for an enterprise build that its developer must be trusted", () => {
    expect(notesOf(ipa({ profileType: "enterprise", deviceCount: null }), IPHONE)).toEqual([
      { kind: "trust-developer" },
    ]);
  });

  it("notes a profile that expires within two weeks", () => {
    const profileExpiry = inDays(9);
    expect(notesOf(ipa({ profileExpiry }), IPHONE)).toContainEqual({ kind: "ends-soon", at: profileExpiry });
    expect(notesOf(ipa({ profileExpiry: inDays(15) }), IPHONE)).toHaveLength(1);
  });

  it("refuses an expired profile of any type", () => {
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

  it("refuses an older system as uncertain", () => {
    expect(installability(ipa({ minOs: "18.1" }), IPHONE, OPTIONS)).toEqual({
      verdict: "refused",
      reason: "old-system",
      uncertain: true,
    });
    expect(reasonOf(ipa({ minOs: "18.0" }), IPHONE)).toBe("install");
    expect(reasonOf(ipa({ minOs: "18.1" }), { ...IPHONE, osVersion: null })).toBe("install");
    expect(reasonOf(ipa({ minOs: null }), IPHONE)).toBe("install");
  });

  it("refuses an Android installer", () => {
    expect(reasonOf(apk(), IPHONE)).toBe("android-only");
    expect(reasonOf(apk({ kind: "aab" }), IPAD)).toBe("android-only");
  });
});

describe("installability on Android", () => {
  it("installs an APK", () => {
    expect(installability(apk(), ANDROID, OPTIONS)).toEqual({
      verdict: "install",
      way: "apk",
      notes: [{ kind: "unknown-sources" }],
    });
  });

  it("refuses a bundle, a split APK, an unsigned APK, and an iOS installer", () => {
    expect(reasonOf(apk({ kind: "aab" }), ANDROID)).toBe("bundle");
    expect(reasonOf(apk({ split: true }), ANDROID)).toBe("split");
    expect(reasonOf(apk({ signed: false }), ANDROID)).toBe("unsigned");
    expect(reasonOf(ipa(), ANDROID)).toBe("ios-only");
  });

  it("refuses an older system if its version is known", () => {
    expect(reasonOf(apk({ minOs: "35" }), ANDROID)).toBe("old-system");
    expect(reasonOf(apk({ minOs: "35" }), { ...ANDROID, osVersion: null })).toBe("install");
  });
});

describe("installability on a desktop", () => {
  it("names the devices for which the installer is", () => {
    expect(installability(ipa(), DESKTOP, OPTIONS)).toMatchObject({ verdict: "other-device", on: "ios" });
    expect(installability(apk(), DESKTOP, OPTIONS)).toMatchObject({ verdict: "other-device", on: "android" });
  });

  it("refuses what no phone installs", () => {
    expect(reasonOf(ipa({ profileExpiry: inDays(-1) }), DESKTOP)).toBe("expired-profile");
    expect(reasonOf(apk({ kind: "aab" }), DESKTOP)).toBe("bundle");
  });
});

describe("a refusal of the distributor's own", () => {
  it("ranks below what the file rules out", () => {
    expect(reasonOf(ipa({ profileExpiry: inDays(-1) }), IPHONE, "closed")).toBe("expired-profile");
    expect(reasonOf(apk({ kind: "aab" }), ANDROID, "closed")).toBe("bundle");
    expect(reasonOf(ipa(), ANDROID, "closed")).toBe("ios-only");
  });

  it("ranks above what the device rules out", () => {
    expect(reasonOf(ipa({ deviceFamilies: ["ipad"] }), IPHONE, "closed")).toBe("closed");
    expect(reasonOf(apk({ minOs: "35" }), ANDROID, "closed")).toBe("closed");
  });
});

describe("installFacts", () => {
  it("takes the facts from the details of an installer", () => {
    const apk: InstallerDetails = {
      kind: "apk",
      signingSha256: [],
      minSdk: 24,
      targetSdk: 35,
      permissions: [],
      abis: [],
      signatureSchemes: [],
      split: true,
      debuggable: false,
    };
    expect(installFacts(apk, "24")).toMatchObject({ kind: "apk", split: true, signed: false, minOs: "24" });
    expect(installFacts({ ...apk, signingSha256: ["0".repeat(64)] }, null).signed).toBe(true);
  });
});

describe("profileEnd", () => {
  const ending = (expiry: string | null, profileType: InstallFacts["profileType"] = "ad-hoc") =>
    profileEnd({ ...IPA_DETAILS, profileType, profileExpiry: expiry }, NOW);

  it("counts whole days until the profile expires", () => {
    expect(ending("2026-11-29T13:00:00Z")).toEqual({ date: new Date("2026-11-29T13:00:00Z"), daysLeft: 9 });
    expect(ending("2026-11-29T11:00:00Z")?.daysLeft).toBe(8);
    expect(ending("2026-11-20T23:00:00Z")?.daysLeft).toBe(0);
  });

  it("is negative once the profile has expired, also on the same day", () => {
    expect(ending("2026-11-20T12:00:00Z")?.daysLeft).toBe(0);
    expect(ending("2026-11-20T11:59:59Z")?.daysLeft).toBe(-1);
    expect(ending("2025-01-01T00:00:00Z")?.daysLeft).toBeLessThan(-300);
  });

  it.each(["development", "ad-hoc", "enterprise"] as const)("applies to a profile of type %s", (type) => {
    expect(ending("2026-11-21T12:00:00Z", type)?.daysLeft).toBe(1);
  });

  it("is null for an App Store profile, for none, and for Android", () => {
    expect(ending("2026-11-21T00:00:00Z", "app-store")).toBeNull();
    expect(ending(null)).toBeNull();
    const { kind, signingSha256 } = { kind: "apk" as const, signingSha256: [] };
    const sdk = { minSdk: 24, targetSdk: 36, permissions: [], abis: [], signatureSchemes: [] };
    expect(profileEnd({ kind, signingSha256, ...sdk, split: false, debuggable: false }, NOW)).toBeNull();
  });
});
