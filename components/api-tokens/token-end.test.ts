import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayAfter, endOfLocalDay, localDay } from "./token-end";

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

describe.each([
  ["America/Bogota", "2027-02-01T04:59:59.999Z"],
  ["Asia/Tokyo", "2027-01-31T14:59:59.999Z"],
  ["UTC", "2027-01-31T23:59:59.999Z"],
])("in %s", (timeZone, end) => {
  beforeEach(() => {
    process.env.TZ = timeZone;
  });

  it("a day ends at midnight in the local time zone, and its end is on the same day", () => {
    expect(endOfLocalDay("2027-01-31")).toBe(end);
    expect(localDay(new Date(end))).toBe("2027-01-31");
  });

  it("counts calendar days across months, leap days and clock changes", () => {
    expect(dayAfter(new Date(2028, 1, 28, 12), 1)).toBe("2028-02-29");
    expect(dayAfter(new Date(2026, 11, 31, 23, 59), 1)).toBe("2027-01-01");
    expect(dayAfter(new Date(2026, 2, 1), 365)).toBe("2027-03-01");
  });
});

it("returns text that is not a date unchanged", () => {
  for (const text of ["", "soon", "2027", "2027-aa-01"]) expect(endOfLocalDay(text)).toBe(text);
});
