import { describe, expect, it } from "vitest";
import { completedYears, roundedToNextUnit } from "./relative-format";

const day = (text: string) => new Date(`${text}T12:00:00Z`);

describe("completed years", () => {
  it.each([
    ["2018-04-26", "2026-11-21", 8],
    ["2018-11-21", "2026-11-21", 8],
    ["2018-11-22", "2026-11-21", 7],
    ["2024-02-29", "2025-02-28", 0],
    ["2024-02-29", "2025-03-01", 1],
  ])("between %s and %s are %i, in either order", (one, other, years) => {
    expect(completedYears(day(one), day(other))).toBe(years);
    expect(completedYears(day(other), day(one))).toBe(years);
  });
});

describe("a difference between two times", () => {
  it.each([
    ["59 s", 59_000, 59_000],
    ["59.5 s", 59_500, 60_000],
    ["59 min", 59 * 60_000, 59 * 60_000],
    ["59 min 30 s", 59.5 * 60_000, 3_600_000],
    ["23 h", 23 * 3_600_000, 23 * 3_600_000],
    ["23 h 30 min", 23.5 * 3_600_000, 86_400_000],
    ["a day", 86_400_000, 86_400_000],
  ])("of %s becomes the next unit only if it is rounded to as much", (_, difference, rounded) => {
    expect(roundedToNextUnit(difference)).toBe(rounded);
    expect(roundedToNextUnit(-difference)).toBe(-rounded);
  });
});
