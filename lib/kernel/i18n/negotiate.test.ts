import { describe, expect, it } from "vitest";
import { negotiateLocale, negotiateTimeZone } from "./negotiate";

describe("negotiateLocale", () => {
  it("falls back to Spanish or the given language if no supported language is requested", () => {
    for (const header of [undefined, null, "", "*", "nl"]) {
      expect(negotiateLocale(undefined, header)).toBe("es");
      expect(negotiateLocale(undefined, header, "en")).toBe("en");
    }
    expect(negotiateLocale(undefined, "de", "en")).toBe("de");
    expect(negotiateLocale("it", undefined, "en")).toBe("it");
  });

  it("prefers the cookie over the header", () => {
    expect(negotiateLocale("it", "de-DE,de;q=0.9")).toBe("it");
  });

  it("ignores a cookie with an unsupported language", () => {
    expect(negotiateLocale("../../etc", "de")).toBe("de");
    expect(negotiateLocale("toString", "fr")).toBe("fr");
  });

  it("finds the language of a regional tag in any case", () => {
    expect(negotiateLocale(undefined, "pt-BR")).toBe("pt");
    expect(negotiateLocale(undefined, "DE-at")).toBe("de");
  });

  it("orders languages by quality value", () => {
    expect(negotiateLocale(undefined, "en;q=0.4, fr;q=0.8, de;q=0.6")).toBe("fr");
  });

  it("keeps the order of languages with equal quality values", () => {
    expect(negotiateLocale(undefined, "nl, it, en")).toBe("it");
  });

  it("ignores languages with a quality value of zero", () => {
    expect(negotiateLocale(undefined, "en;q=0, de;q=0.1")).toBe("de");
  });

  it("falls back to Spanish without a match, without a header and for a malformed header", () => {
    expect(negotiateLocale(undefined, "ja, zh;q=0.5")).toBe("es");
    expect(negotiateLocale(undefined, undefined)).toBe("es");
    expect(negotiateLocale(null, "")).toBe("es");
    expect(negotiateLocale(undefined, "*")).toBe("es");
    expect(negotiateLocale(undefined, ";;;,,,;q=abc,en;q=nope")).toBe("es");
    expect(negotiateLocale(undefined, "en;q=7")).toBe("es");
  });

  it("reads only the start of a long header", () => {
    expect(negotiateLocale(undefined, `${"xx,".repeat(200_000)}en`)).toBe("es");
  });
});

describe("negotiateTimeZone", () => {
  it("returns a time zone that the runtime supports", () => {
    expect(negotiateTimeZone("America/Bogota")).toBe("America/Bogota");
  });

  it("does not canonicalize the browser's name of the time zone", () => {
    for (const name of ["Etc/UTC", "Asia/Calcutta", "Asia/Kolkata"]) expect(negotiateTimeZone(name)).toBe(name);
  });

  it("returns UTC for anything else", () => {
    for (const value of [undefined, null, "", "Mars/Olympus", "x".repeat(5000), "<script>"]) {
      expect(negotiateTimeZone(value)).toBe("UTC");
    }
  });
});
