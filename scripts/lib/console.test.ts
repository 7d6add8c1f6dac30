import { describe, expect, it } from "vitest";
import { formatDuration, lastLines } from "./console.mjs";

describe("durations", () => {
  it.each([
    [40, "0.0 s"],
    [1_449, "1.4 s"],
    [9_949, "9.9 s"],
    [9_950, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min 0 s"],
    [185_000, "3 min 5 s"],
  ])("of %d ms are formatted as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("the last lines of an output", () => {
  it("are indented and omit trailing empty lines", () => {
    expect(lastLines("1\n2\n3\n\n", 2)).toBe("    2\n    3");
  });
});
