import { describe, expect, it } from "vitest";
import { spokenDuration } from "./duration";

describe("spokenDuration", () => {
  it("counts the last seconds in steps of five", () => {
    expect(spokenDuration(0)).toEqual({ unit: "moment" });
    expect(spokenDuration(4.9)).toEqual({ unit: "moment" });
    expect(spokenDuration(7)).toEqual({ unit: "seconds", seconds: 5 });
    expect(spokenDuration(57)).toEqual({ unit: "seconds", seconds: 55 });
  });

  it("goes on in minutes and hours, and never says sixty of one", () => {
    expect(spokenDuration(58)).toEqual({ unit: "minutes", minutes: 1 });
    expect(spokenDuration(89)).toEqual({ unit: "minutes", minutes: 1 });
    expect(spokenDuration(3_500)).toEqual({ unit: "minutes", minutes: 58 });
    expect(spokenDuration(3_580)).toEqual({ unit: "hours", hours: 1, minutes: 0 });
    expect(spokenDuration(7_100)).toEqual({ unit: "hours", hours: 2, minutes: 0 });
    expect(spokenDuration(9_000)).toEqual({ unit: "hours", hours: 2, minutes: 30 });
  });
});
