import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeFileName } from "@/lib/kernel/file-name";
import { hostileNames } from "@/lib/testing/hostile-names";
import { contentDisposition } from "./content-disposition";

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
