import { describe, expect, it } from "vitest";
import { profileEnd } from "./profile-end";
import type { ProfileType } from "./types";

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
    profileEnd({ ...IPA_DETAILS, profileType, profileExpiry: expiry });

  it.each(["development", "ad-hoc", "enterprise"] as const)("applies to a profile of type %s", (type) => {
    expect(ending("2026-11-21T12:00:00Z", type)).toEqual(new Date("2026-11-21T12:00:00Z"));
  });

  it("is null for an App Store profile, for none, and for Android", () => {
    expect(ending("2026-11-21T00:00:00Z", "app-store")).toBeNull();
    expect(ending(null)).toBeNull();
    const { kind, signingSha256 } = { kind: "apk" as const, signingSha256: [] };
    const sdk = { minSdk: 24, targetSdk: 36, permissions: [], abis: [], signatureSchemes: [] };
    expect(profileEnd({ kind, signingSha256, ...sdk, split: false, debuggable: false })).toBeNull();
  });
});
