import { describe, expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { activityDays, byUrgency, isPast, lastDays, openedSystems, SHOWN_SYSTEMS } from "./rules";
import type { Attention, OpenedSystem } from "./schema";

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
      { day: "2026-01-01", releases: 0, installs: 0, latestInstalls: 0, downloads: 0 },
      { day: "2026-01-02", releases: 1, installs: 4, latestInstalls: 0, downloads: 0 },
    ]);
  });
});

describe("the systems of testers", () => {
  it("are named with the most frequent first, and the others are summed up", () => {
    const counted = Array.from(
      { length: SHOWN_SYSTEMS + 2 },
      (_, index): OpenedSystem => ({ device: "ios", version: String(10 + index), openings: index + 1 }),
    );
    const { systems, otherOpenings } = openedSystems(counted);
    expect(systems.map(({ openings }) => openings)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(otherOpenings).toBe(3);
  });
});

describe("what needs attention", () => {
  const now = new Date("2026-01-01T12:00:00.000Z");
  const place = { app: { id: "a", name: "A" }, environment: { id: "e", name: "E" }, name: "n" };
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  const certificate = (days: number): Attention => ({ kind: "certificate", ...place, expiresAt: inDays(days) });
  const token = (days: number): Attention => ({ kind: "token", ...place, expiresAt: inDays(days) });

  it("begins with what keeps everybody from working, and goes on with what expires, by its date", () => {
    const sorted = byUrgency(
      [
        { kind: "mail" },
        { kind: "audit", firstRecord: 4 },
        { kind: "invitations", count: 1 },
        token(3),
        { kind: "address", host: "localhost" },
        { kind: "store" },
        certificate(-2),
      ],
      now,
    );
    expect(sorted.map(({ kind }) => kind)).toEqual([
      "store",
      "audit",
      "address",
      "mail",
      "certificate",
      "token",
      "invitations",
    ]);
  });

  it("ends with what expired more than 30 days ago, the last one first", () => {
    const items = [certificate(-31), certificate(-4000), { kind: "invitations", count: 1 } as const, certificate(-400)];
    const sorted = byUrgency([...items, token(20), certificate(-29)], now);
    expect(sorted).toEqual([certificate(-29), token(20), items[2], items[0], items[3], items[1]]);
    expect(sorted.map((item) => isPast(item, now))).toEqual([false, false, false, true, true, true]);
  });
});
