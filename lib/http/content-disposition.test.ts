import { processorTimeMs } from "@slipway/installers/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentDisposition, safeFileName } from "./content-disposition";

/** Names as nobody should send them: any Unicode, and much of what has a meaning in headers, paths and file systems. */
const hostileNames = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom(
      ..."\r\n\t\0\"'\\/;:=*%<>|?. a.é€😀\u202e\u200f\u200b\ufeff\u2028אبﷺ\ud800\udc00",
      "..",
      "%0d%0a",
      "filename*=",
      "CON",
      ".apk",
    ),
    maxLength: 300,
  }),
);

/** What a browser makes of the value (RFC 6266 with RFC 8187): filename* before filename. */
function parse(value: string): { type: string; plain: string; extended: string | undefined } {
  const match =
    /^(attachment|inline); filename="((?:[^"\\]|\\.)*)"(?:; filename\*=UTF-8''([A-Za-z0-9!#$&+\-.^_`|~%]*))?$/.exec(
      value,
    );
  if (!match) throw new Error(`not a Content-Disposition: ${value}`);
  return {
    type: match[1] as string,
    plain: (match[2] as string).replace(/\\(.)/g, "$1"),
    extended: match[3] === undefined ? undefined : decodeURIComponent(match[3]),
  };
}

describe("a Content-Disposition", () => {
  it.each([
    ["app-1.0.apk", 'attachment; filename="app-1.0.apk"'],
    ["My App (release).ipa", 'attachment; filename="My App (release).ipa"'],
    ["Añadido.apk", "attachment; filename=\"Anadido.apk\"; filename*=UTF-8''A%C3%B1adido.apk"],
    ["€ rates.apk", "attachment; filename=\"_ rates.apk\"; filename*=UTF-8''%E2%82%AC%20rates.apk"],
    ["100%.apk", "attachment; filename=\"100_.apk\"; filename*=UTF-8''100%25.apk"],
    ["it's (x).apk", 'attachment; filename="it\'s (x).apk"'],
    ["ñ's (x)*.apk", "attachment; filename=\"n's (x)_.apk\"; filename*=UTF-8''%C3%B1%27s%20%28x%29_.apk"],
  ])("names %j", (name, value) => {
    expect(contentDisposition(name)).toBe(value);
  });

  it("is inline where that is asked for", () => {
    expect(contentDisposition("logo.png", "inline")).toBe('inline; filename="logo.png"');
  });

  it("is one header of printable ASCII for any name, whose two names a browser reads as the safe one", () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const value = contentDisposition(name);
        expect(value).toMatch(/^[\x20-\x7e]+$/);
        expect(new Headers({ "content-disposition": value }).get("content-disposition")).toBe(value);
        const { plain, extended } = parse(value);
        expect(extended ?? plain).toBe(safeFileName(name));
        expect(plain).not.toMatch(/[%\\/]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a safe file name", () => {
  it.each([
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\Windows\\win.ini", "C__Windows_win.ini"],
    ["a\r\nSet-Cookie: x=1.apk", "a Set-Cookie_ x=1.apk"],
    ['a"b.apk', "a_b.apk"],
    ["photo\u202egpj.exe", "photogpj.exe"],
    ["zero\u200bwidth.apk", "zerowidth.apk"],
    [".htaccess", "htaccess"],
    ["trailing. . .", "trailing"],
    ["con.apk", "_con.apk"],
    ["LPT1", "_LPT1"],
    ["console.apk", "console.apk"],
    ["ab\ud800cd.apk", "ab\ufffdcd.apk"],
    ["cafe\u0301.apk", "caf\u00e9.apk"],
    ["", "download"],
    ["...", "download"],
    ["\u0000\u0001", "download"],
    ["   ", "download"],
    ["مرحبا.apk", "مرحبا.apk"],
    ["😀.ipa", "😀.ipa"],
  ])("of %j is %j", (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it("keeps the extension of a name of 5,000 characters", () => {
    for (const character of ["a", "é", "漢", "😀", "e\u0301"]) {
      const safe = safeFileName(`${character.repeat(5_000)}.apk`);
      expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(200);
      expect(safe.endsWith(".apk")).toBe(true);
      expect(safe.isWellFormed()).toBe(true);
      expect(safe.length).toBeGreaterThan(50);
    }
  });

  it("takes a long tail for no extension", () => {
    const safe = safeFileName(`a.${"b".repeat(5_000)}`);
    expect(safe).toBe(`a.${"b".repeat(198)}`);
  });

  it("stands on any file system, shows itself as it is and is safe already, whatever it was made of", () => {
    fc.assert(
      fc.property(hostileNames, (name) => {
        const safe = safeFileName(name);
        expect(safe.length).toBeGreaterThan(0);
        expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(200);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe).not.toMatch(/[/\\:*?"<>|]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^[. ]|[. ]$/u);
        expect(safeFileName(safe)).toBe(safe);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no longer for a name that is made to be slow", () => {
    for (const name of [
      " ".repeat(100_000),
      ".".repeat(100_000),
      `a${" .".repeat(50_000)}b`,
      "\u0301".repeat(100_000),
    ]) {
      const began = processorTimeMs();
      contentDisposition(name);
      expect(processorTimeMs() - began).toBeLessThan(200);
    }
  });
});
