import { describe, expect, it } from "vitest";
import { profileEnd } from "./profile-end";
import type { ProfileType } from "./types";

const NOW = new Date("2026-11-20T12:00:00Z");

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

describe("profileEnd", () => {
  const ending = (expiry: string | null, profileType: ProfileType = "ad-hoc") =>
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
