import { describe, expect, it } from "vitest";
import { FORMAT_LOCALES, LOCALES, languageOf } from "./locales";

describe("the locales for formatting", () => {
  it("map back to their languages", () => {
    expect(LOCALES.map((locale) => languageOf(FORMAT_LOCALES[locale]))).toEqual([...LOCALES]);
  });

  it("format Portuguese as in Portugal", () => {
    const date = new Intl.DateTimeFormat(FORMAT_LOCALES.pt, { dateStyle: "medium", timeZone: "UTC" });
    expect(date.format(new Date("2026-11-05T12:00:00Z"))).toBe("05/11/2026");
    expect(new Intl.NumberFormat(FORMAT_LOCALES.pt).format(123_456.7)).toMatch(/^123\s456,7$/u);
  });
});
