import { describe, expect, it } from "vitest";
import { compareVersions } from "./versions";

describe("compareVersions", () => {
  it("compares number by number", () => {
    expect(compareVersions("9.10", "9.9")).toBeGreaterThan(0);
    expect(compareVersions("16", "16.0.0")).toBe(0);
    expect(compareVersions("8.0", "12.1")).toBeLessThan(0);
  });
});
