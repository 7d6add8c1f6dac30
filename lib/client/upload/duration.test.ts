import { describe, expect, it } from "vitest";
import { roundedDuration } from "./duration";

describe("roundedDuration", () => {
  it("rounds seconds to steps of five", () => {
    expect(roundedDuration(0)).toEqual({ unit: "moment" });
    expect(roundedDuration(4.9)).toEqual({ unit: "moment" });
    expect(roundedDuration(7)).toEqual({ unit: "seconds", seconds: 5 });
    expect(roundedDuration(57)).toEqual({ unit: "seconds", seconds: 55 });
  });

  it("continues in minutes and hours, and never returns sixty of a unit", () => {
    expect(roundedDuration(58)).toEqual({ unit: "minutes", minutes: 1 });
    expect(roundedDuration(89)).toEqual({ unit: "minutes", minutes: 1 });
    expect(roundedDuration(3_500)).toEqual({ unit: "minutes", minutes: 58 });
    expect(roundedDuration(3_580)).toEqual({ unit: "hours", hours: 1, minutes: 0 });
    expect(roundedDuration(7_100)).toEqual({ unit: "hours", hours: 2, minutes: 0 });
    expect(roundedDuration(9_000)).toEqual({ unit: "hours", hours: 2, minutes: 30 });
  });
});
