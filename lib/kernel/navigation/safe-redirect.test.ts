import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOPBACK_HOSTS, loopbackUrl, safeRedirect } from "./safe-redirect";

/** Random combinations of strings that have bypassed redirect checks. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."http:// https:// http:/ http: HTTP:// javascript: data: // / /. /.. /.// \\ @ : ? # % %2f %5c %00 %09".split(
          " ",
        ),
        ..."127.0.0.1 127.0.0.1:8080 127.1 2130706433 0x7f000001 localhost [::1] 127.0.0.1. 127.0.0.1.evil.example".split(
          " ",
        ),
        ..."evil.example @evil.example :8080 :0 :65536 :80 home releases user:pass".split(" "),
        "\t",
        "\n",
        "\0",
        " ",
        "１２７",
        "。",
      ),
      fc.string({ maxLength: 5, unit: "binary" }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

describe("loopbackUrl", () => {
  it("accepts the URL at which a command-line tool listens", () => {
    for (const url of [
      "http://127.0.0.1:49152/",
      "http://127.0.0.1:1/callback",
      "http://127.0.0.1:65535/callback?run=1&x=%20",
    ]) {
      expect(loopbackUrl(url)).toBe(url);
    }
    expect(loopbackUrl("http://127.0.0.1:8080")).toBe("http://127.0.0.1:8080/");
  });

  it("accepts the loopback address of IPv6 where it is asked for", () => {
    const url = "http://[::1]:49152/callback";
    expect([loopbackUrl(url), loopbackUrl(url, LOOPBACK_HOSTS)]).toEqual([null, url]);
    for (const other of ["http://[::2]:8080/", "http://[0:0::1]:8080/", "http://[::1]/", "http://::1:8080/"]) {
      expect(loopbackUrl(other, LOOPBACK_HOSTS)).toBeNull();
    }
  });

  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1:/",
    "http://127.0.0.1:0/",
    "http://127.0.0.1:65536/",
    "https://127.0.0.1:8080/",
    "http://localhost:8080/",
    "http://[::1]:8080/",
    "http://127.1:8080/",
    "http://2130706433:8080/",
    "http://127.0.0.2:8080/",
    "http://127.0.0.1.evil.example:8080/",
    "http://127.0.0.1:8080@evil.example/",
    "http://user@127.0.0.1:8080/",
    "http://127.0.0.1:8080.evil.example/",
    "http://127.0.0.1:8080/#fragment",
    "HTTP://127.0.0.1:8080/",
    " http://127.0.0.1:8080/",
    "http://127.0.0.1:8080/\n",
    `http://127.0.0.1:8080/${"a".repeat(2_048)}`,
    7,
    null,
    undefined,
    ["http://127.0.0.1:8080/"],
  ])("rejects %j", (text) => {
    expect(loopbackUrl(text)).toBeNull();
  });
});

describe("safeRedirect", () => {
  it("returns only paths of the console and URLs of the loopback address", () => {
    const start = fc.constantFrom("", "/", "http://127.0.0.1:8080", "http://127.0.0.1:8080/");
    fc.assert(
      fc.property(start, nasty, (begin, rest) => {
        const safe = safeRedirect(begin + rest);
        if (safe === null) return;
        for (const page of ["https://console.example/", "http://localhost:3000/a/b"]) {
          const target = new URL(safe, page);
          expect(target.username + target.password).toBe("");
          if (target.origin === new URL(page).origin) continue;
          expect(target.protocol + target.hostname).toBe("http:127.0.0.1");
          expect(safe).toMatch(/^http:\/\/127\.0\.0\.1(:\d+)?\//);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it("returns its own results unchanged", () => {
    fc.assert(
      fc.property(fc.constantFrom("/", "http://127.0.0.1:8081/"), nasty, (begin, rest) => {
        const safe = safeRedirect(begin + rest);
        if (safe !== null) expect(safeRedirect(safe)).toBe(safe);
      }),
      { numRuns: 5_000 },
    );
  });
});
