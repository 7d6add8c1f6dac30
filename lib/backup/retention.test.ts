import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { expiredBackups } from "./retention";

const START = Date.parse("2026-01-01T02:30:00Z");
const daily = (days: number) =>
  Array.from({ length: days }, (_, day) => ({ createdAt: new Date(START + day * DAY_MS).toISOString() }));
const keptOf = (backups: { createdAt: string }[], rule: { daily: number; weekly: number; monthly: number }) => {
  const expired = new Set(expiredBackups(backups, rule));
  return backups.filter((backup) => !expired.has(backup)).map(({ createdAt }) => createdAt.slice(0, 10));
};

describe("the retention of backups", () => {
  it("keeps the newest of each of the last days, weeks and months", () => {
    expect(keptOf(daily(120), { daily: 3, weekly: 3, monthly: 4 })).toEqual([
      "2026-01-31",
      "2026-02-28",
      "2026-03-31",
      // The Sundays of the weeks before.
      "2026-04-19",
      "2026-04-26",
      "2026-04-28",
      "2026-04-29",
      "2026-04-30",
    ]);
  });

  it("keeps the newest of several of a day, and counts only days that have a backup", () => {
    const backups = ["2026-01-01T01:00:00Z", "2026-01-01T09:00:00Z", "2026-03-01T01:00:00Z"].map((createdAt) => ({
      createdAt,
    }));
    expect(expiredBackups(backups, { daily: 2, weekly: 0, monthly: 0 })).toEqual([backups[0]]);
  });

  it("always keeps the newest, and no more than the rule says", () => {
    const count = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1 }),
        fc.record({ daily: count, weekly: count, monthly: count }),
        (days, rule) => {
          const backups = days.map((day) => ({ createdAt: new Date(START + day * DAY_MS).toISOString() }));
          const kept = keptOf(backups, rule);
          expect(kept).toContain(new Date(START + Math.max(...days) * DAY_MS).toISOString().slice(0, 10));
          expect(kept.length).toBeLessThanOrEqual(Math.max(1, rule.daily + rule.weekly + rule.monthly));
        },
      ),
    );
  });
});
