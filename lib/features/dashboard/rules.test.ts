import { describe, expect, it } from "vitest";
import { activityDays, byUrgency, lastDays } from "./rules";
import type { Attention } from "./schema";

describe("the last days", () => {
  it("end today in UTC, also on the day that a clock is changed and at the turn of a year", () => {
    expect(lastDays(3, new Date("2026-03-29T23:59:59.999Z"))).toEqual(["2026-03-27", "2026-03-28", "2026-03-29"]);
    expect(lastDays(2, new Date("2026-01-01T00:00:00.000Z"))).toEqual(["2025-12-31", "2026-01-01"]);
  });
});

describe("the activity", () => {
  it("has every day, with zeros where nothing happened", () => {
    const counted = [
      { day: "2026-01-02", kind: "install", count: 4 },
      { day: "2026-01-02", kind: "release", count: 1 },
    ] as const;
    expect(activityDays(["2026-01-01", "2026-01-02"], counted)).toEqual([
      { day: "2026-01-01", releases: 0, installs: 0, downloads: 0 },
      { day: "2026-01-02", releases: 1, installs: 4, downloads: 0 },
    ]);
  });
});

it("what needs attention is sorted by urgency, and what expires by its date", () => {
  const place = { app: { id: "a", name: "A" }, environment: { id: "e", name: "E" }, name: "n" };
  const token: Attention = { kind: "token", ...place, expiresAt: "2026-01-03T00:00:00.000Z" };
  const certificate: Attention = { kind: "certificate", ...place, expiresAt: "2026-01-02T00:00:00.000Z" };
  const sorted = byUrgency([
    { kind: "mail" },
    { kind: "audit", firstRecord: 4 },
    { kind: "invitations", count: 1 },
    token,
    { kind: "store" },
    certificate,
  ]);
  expect(sorted.map(({ kind }) => kind)).toEqual(["store", "audit", "certificate", "token", "mail", "invitations"]);
});
