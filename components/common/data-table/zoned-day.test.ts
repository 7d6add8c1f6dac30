import { describe, expect, it } from "vitest";
import { zonedDay } from "./zoned-day";

describe("zonedDay", () => {
  it("is a UTC day in the zone UTC", () => {
    expect(zonedDay("2026-11-20", "UTC")).toEqual({
      start: "2026-11-20T00:00:00.000Z",
      end: "2026-11-20T23:59:59.999Z",
    });
  });

  it("starts earlier in the east and later in the west", () => {
    expect(zonedDay("2026-11-20", "Asia/Kolkata")?.start).toBe("2026-11-19T18:30:00.000Z");
    expect(zonedDay("2026-11-20", "America/Bogota")).toEqual({
      start: "2026-11-20T05:00:00.000Z",
      end: "2026-11-21T04:59:59.999Z",
    });
  });

  it("is shorter or longer when clocks change", () => {
    const hours = (date: string) => {
      const day = zonedDay(date, "Europe/Madrid");
      return (Date.parse(day?.end ?? "") + 1 - Date.parse(day?.start ?? "")) / 3_600_000;
    };
    expect(hours("2026-03-29")).toBe(23);
    expect(hours("2026-10-25")).toBe(25);
    expect(hours("2026-10-26")).toBe(24);
  });

  it("starts with its first moment where clocks are put forward at midnight", () => {
    expect(zonedDay("2026-09-06", "America/Santiago")?.start).toBe("2026-09-06T04:00:00.000Z");
    expect(zonedDay("2026-09-05", "America/Santiago")?.end).toBe("2026-09-06T03:59:59.999Z");
  });

  it("is null for text that is not a day", () => {
    for (const text of ["", "2026-13-01", "20-11-2026", "2026-11-20T00:00", "today"]) {
      expect(zonedDay(text, "UTC")).toBeNull();
    }
  });
});
