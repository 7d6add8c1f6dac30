import { describe, expect, it } from "vitest";
import { plotLines } from "./plot-scale";

describe("the lines of a plot", () => {
  it.each([
    [0, [0]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [17, [0, 5, 10, 15, 20]],
    [100, [0, 50, 100]],
    [1_234, [0, 500, 1_000, 1_500]],
    [333_333, [0, 100_000, 200_000, 300_000, 400_000]],
  ])("up to %d are %j", (highest, expected) => {
    expect(plotLines(highest)).toEqual(expected);
  });

  it("are few, and reach the highest count", () => {
    for (let highest = 1; highest < 5_000; highest += 7) {
      const lines = plotLines(highest);
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(highest);
      expect(lines.every(Number.isInteger)).toBe(true);
    }
  });
});
