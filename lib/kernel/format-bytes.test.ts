import { describe, expect, it } from "vitest";
import { formatBytes } from "./format-bytes";

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("formatBytes", () => {
  it("uses decimal units", () => {
    expect(plain(formatBytes(300_000, "en"))).toBe("300 kB");
    expect(plain(formatBytes(84_213_977, "en"))).toBe("84.2 MB");
    expect(plain(formatBytes(1_234_567_890, "en"))).toBe("1.23 GB");
  });

  it("adds a digit to tell similar sizes apart", () => {
    expect(plain(formatBytes(16_600, "en", 1))).toBe("16.6 kB");
    expect(plain(formatBytes(17_400, "en", 1))).toBe("17.4 kB");
    expect(plain(formatBytes(84_213_977, "en", 1))).toBe("84.21 MB");
    expect(plain(formatBytes(999, "en", 1))).toBe("999 B");
  });

  it("shows bytes without a fraction", () => {
    expect(plain(formatBytes(0, "en"))).toBe("0 B");
    expect(plain(formatBytes(999, "en"))).toBe("999 B");
  });

  it.each(["es", "en", "de", "fr", "it", "pt-PT"])("separates number and unit by a space in %s", (locale) => {
    for (const bytes of [0, 15, 999, 1_000, 290_000, 84_213_977]) {
      expect(plain(formatBytes(bytes, locale))).toMatch(/^[\d.,]+ (?:[kMG]?B|[kMG]?o)$/);
      // A line must not break there.
      expect(formatBytes(bytes, locale)).not.toContain(" ");
    }
  });

  it("never shows a thousand of a unit if there is a larger one", () => {
    expect(plain(formatBytes(999_999, "en"))).toBe("1 MB");
    expect(plain(formatBytes(999_499, "en"))).toBe("999 kB");
  });

  it("uses the language's decimal separator and unit", () => {
    expect(plain(formatBytes(84_213_977, "es"))).toBe("84,2 MB");
    expect(plain(formatBytes(84_213_977, "fr"))).toBe("84,2 Mo");
  });
});
