import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safePath } from "./safe-path";

const ORIGINS = ["https://console.example", "http://localhost:3000", "http://192.168.1.20:8080"];

/** Random combinations of strings that have bypassed redirect checks. */
const nastyPath = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."/ // . .. /./ /../ ; : @ ? # % \\ %2f %2F %5c %5C %2e %2E %09 %0a %00 http: https: javascript: data:".split(
          " ",
        ),
        ..."evil.example //evil.example @evil.example home releases [::1] 127.1 xn--".split(" "),
        "\t",
        "\n",
        "\r",
        "\0",
        " ",
        "\u00a0",
        "\u2028",
        "／",
        "。",
      ),
      fc.string({ maxLength: 6, unit: "binary" }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("safePath", () => {
  it("returns the path of a page with its query and fragment", () => {
    for (const path of [
      "/home",
      "/releases?app=0198c0de-0000-7000-8000-000000000001&environment=x",
      "/admin-platforms?search=%C3%B1and%C3%BA&sort=-name#content",
      "/testing-deploys?from=2026-01-01",
    ]) {
      expect(safePath(path)).toBe(path);
    }
  });

  it("normalizes the path as a browser does", () => {
    expect(safePath("/a/../home")).toBe("/home");
    expect(safePath("/./home")).toBe("/home");
  });

  it.each([
    "//evil.example",
    "///evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/%2e//evil.example",
    "/a/..//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%5cevil.example",
    "/%5Cevil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/%09/evil.example",
    "/%0d%0aLocation:%20https://evil.example",
    "/\0",
    "https://evil.example/home",
    "javascript:alert(1)",
    "data:text/html,x",
    "home",
    " /home",
    "",
    "?next=/home",
    "#home",
  ])("rejects %j", (path) => {
    expect(safePath(path)).toBeNull();
  });

  it("rejects the sign-in page and the API", () => {
    for (const path of ["/", "/?next=/home", "/.", "/api", "/api/auth/logout", "/x/../api/files/download-file?id=1"]) {
      expect(safePath(path)).toBeNull();
    }
  });

  it("rejects values that are not strings, and strings that are too long", () => {
    for (const value of [undefined, null, 7, ["/home"], {}, `/${"a".repeat(2_048)}`]) {
      expect(safePath(value)).toBeNull();
    }
  });

  it("never leaves the console's origin, from any page", () => {
    fc.assert(
      fc.property(nastyPath, fc.constantFrom("", "/"), fc.constantFrom(...ORIGINS), (path, start, origin) => {
        const safe = safePath(start + path);
        if (safe === null) return;
        for (const page of ["/", "/a/b?c=d"]) {
          const target = new URL(safe, origin + page);
          expect(target.origin).toBe(origin);
          expect(target.username + target.password).toBe("");
          expect(target.pathname.startsWith("//")).toBe(false);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it("returns its own results unchanged", () => {
    fc.assert(
      fc.property(nastyPath, (path) => {
        const safe = safePath(`/${path}`);
        if (safe !== null) expect(safePath(safe)).toBe(safe);
      }),
      { numRuns: 5_000 },
    );
  });

  it("returns every path of plain segments unchanged", () => {
    const segment = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).filter((name) => name !== "api");
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = `/${segments.join("/")}`;
        expect(safePath(path)).toBe(path);
      }),
    );
  });
});
