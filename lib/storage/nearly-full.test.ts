import { describe, expect, it } from "vitest";
import { isNearlyFull } from "./nearly-full";

const GIB = 1024 ** 3;

describe("a disk", () => {
  it.each([
    [{ usedBytes: 0, freeBytes: GIB }, false],
    [{ usedBytes: 0, freeBytes: GIB - 1 }, true],
    [{ usedBytes: 100 * GIB, freeBytes: 10 * GIB }, false],
    [{ usedBytes: 100 * GIB, freeBytes: 10 * GIB - 1 }, true],
  ])("with %j is nearly full: %s", (space, expected) => {
    expect(isNearlyFull(space)).toBe(expected);
  });
});
