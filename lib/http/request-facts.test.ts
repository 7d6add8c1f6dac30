import { describe, expect, it, vi } from "vitest";
import { log } from "@/lib/kernel/log";
import { clientAddress, localeOf, REMOTE_ADDRESS_HEADER } from "./request-facts";

process.env.DATABASE_URL ??= "postgresql://nobody@127.0.0.1/nothing";
process.env.TRUSTED_PROXIES = "127.0.0.1,10.0.0.0/8,fd00::/8";

/** The caller's address behind a proxy that sends these entries. */
function behindProxy(forwarded: string): string | null {
  return clientAddress(new Headers({ [REMOTE_ADDRESS_HEADER]: "127.0.0.1", "x-forwarded-for": forwarded }));
}

describe("the caller's address", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:51008", "203.0.113.9"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ['"[2001:db8::1]:443"', "2001:db8::1"],
    ["::FFFF:203.0.113.9", "203.0.113.9"],
    ["[::ffff:203.0.113.9]:51008", "203.0.113.9"],
    ["2001:db8::1%eth0", "2001:db8::1"],
    ["198.51.100.1, 203.0.113.9:51008, 10.0.0.7:80, [fd00::7]:80", "203.0.113.9"],
  ])("is read from the entry of a trusted proxy: %s", (forwarded, address) => {
    expect(behindProxy(forwarded)).toBe(address);
  });

  it("is the proxy's if its entry is no address, of which the log warns once", () => {
    const warn = vi.spyOn(log, "warn").mockReturnValue();
    for (const forwarded of [
      "203.0.113.9, unknown",
      "203.0.113.9, ",
      "_hidden",
      "203.0.113.9:x",
      "[203.0.113.9",
      "a".repeat(999),
    ]) {
      expect(behindProxy(forwarded)).toBe("127.0.0.1");
    }
    expect(warn.mock.calls).toEqual([
      [{ proxy: "127.0.0.1", entry: "unknown" }, expect.stringContaining("X-Forwarded-For")],
    ]);
    warn.mockRestore();
  });
});

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("the language of an answer", () => {
  it.each([
    ["English for a script without a language, such as curl", { "user-agent": "curl/8.14.1" }, "en"],
    ["English for a caller that says nothing at all", {}, "en"],
    ["English for a script that accepts any language, such as with fetch of Node.js", { "accept-language": "*" }, "en"],
    ["Spanish for a browser that accepts any language", { "user-agent": CHROME, "accept-language": "*" }, "es"],
    ["English for a token", { authorization: "Bearer x", "accept-language": "ja" }, "en"],
    ["Spanish for a browser without a language", { "user-agent": CHROME }, "es"],
    ["Spanish for a browser whose languages the console does not have", { "accept-language": "ja, ko" }, "es"],
    ["the language that a script asks for", { "user-agent": "curl/8.14.1", "accept-language": "de" }, "de"],
    ["the language that the user chose", { cookie: "locale=fr", "accept-language": "de" }, "fr"],
  ])("is %s", (_, headers, locale) => {
    expect(localeOf(new Headers(headers as Record<string, string>))).toBe(locale);
  });
});
