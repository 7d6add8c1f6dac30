import type { InstallerDetails } from "@slipway/installers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { nearProfileEnd, SOON_DAYS } from "./profile-end";

const NOW = new Date("2026-03-01T12:00:00Z");

type Ipa = Extract<InstallerDetails, { kind: "ipa" }>;

function ipa(profile: Pick<Ipa, "profileType" | "profileExpiry">): { installer: Ipa } {
  return {
    installer: {
      kind: "ipa",
      signingSha256: [],
      deviceFamilies: ["iphone"],
      sdkVersion: null,
      profileName: "Acme",
      team: null,
      teamName: null,
      profileCreated: null,
      deviceCount: 12,
      entitlements: {},
      ...profile,
    },
  };
}

const ending = (profileExpiry: string | null, profileType: Ipa["profileType"] = "ad-hoc") =>
  nearProfileEnd(ipa({ profileType, profileExpiry }), NOW);

describe("nearProfileEnd", () => {
  it("counts days of the calendar until an expiry that is near", () => {
    const date = new Date("2026-03-10T11:00:00Z");
    expect(ending(date.toISOString())).toEqual({ date, hasEnded: false, daysLeft: 9 });
    expect(ending("2026-03-10T13:00:00Z")?.daysLeft).toBe(9);
    expect(ending("2026-03-01T23:00:00Z")).toMatchObject({ hasEnded: false, daysLeft: 0 });
  });

  it("says that an expiry has passed, also on the same day", () => {
    expect(ending(NOW.toISOString())).toMatchObject({ hasEnded: true, daysLeft: 0 });
    expect(ending("2025-01-01T00:00:00Z")?.hasEnded).toBe(true);
  });

  it("returns null for a distant expiry", () => {
    const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS).toISOString();
    expect(ending(days(SOON_DAYS))?.daysLeft).toBe(SOON_DAYS);
    expect(ending(days(SOON_DAYS + 1))).toBeNull();
  });

  it("returns null for an App Store profile", () => {
    expect(ending("2026-03-02T00:00:00Z", "app-store")).toBeNull();
  });
});
