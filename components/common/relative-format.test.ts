import { describe, expect, it } from "vitest";
import { completedYears } from "./relative-format";

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
