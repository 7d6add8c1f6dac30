import { describe, expect, it } from "vitest";
import { androidSystem, androidVersionOf, apiLevelOf } from "./android-versions";

describe("Android versions", () => {
  it("are known by API level", () => {
    expect([3, 21, 27, 32, 34, 99].map(androidVersionOf)).toEqual(["1.5", "5.0", "8.1", "12L", "14", null]);
  });

  it("are named with their API level, and unknown ones by it alone", () => {
    expect(["14", 32, "99", "Zzz"].map(androidSystem)).toEqual([
      "Android 4.0 (API 14)",
      "Android 12L (API 32)",
      "API 99",
      "Android Zzz",
    ]);
  });

  it("map to API levels, regardless of their precision", () => {
    expect(["5.1.1", "8.0.0", "9", "9.0.0", "10", "12", "12.1.0", "13.0.0", "16"].map(apiLevelOf)).toEqual([
      22, 26, 28, 28, 29, 31, 32, 33, 36,
    ]);
    expect(apiLevelOf("99")).toBeNull();
    expect(apiLevelOf("nonsense")).toBeNull();
  });
});
