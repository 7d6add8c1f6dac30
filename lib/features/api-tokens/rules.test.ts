import { describe, expect, it } from "vitest";
import { defaultScopes, isTokenIdentifier, latestEnd } from "./rules";

const HEX = "0123456789abcdef".repeat(4);
const WITH_COLONS = HEX.toUpperCase().match(/../g)?.join(":") as string;

describe("an identifier of a token", () => {
  it.each([HEX, HEX.toUpperCase(), WITH_COLONS, "com.acme.app", "Test", "servers", "server"])(
    "may be %s",
    (identifier) => {
      expect(isTokenIdentifier(identifier)).toBe(true);
    },
  );

  it.each([
    "",
    "Server",
    "SERVER",
    "acme.",
    HEX.slice(1),
    `${HEX}0`,
    `${HEX.slice(0, -1)}g`,
    WITH_COLONS.slice(0, -1),
    WITH_COLONS.replace(":", ""),
    "com.acme.*",
  ])("may not be %j", (identifier) => {
    expect(isTokenIdentifier(identifier)).toBe(false);
  });
});

describe("the default scopes of a token", () => {
  it("let a server publish and read, and neither change anything else nor read secrets", () => {
    const scopes = defaultScopes(["com.acme.app", "server"]);
    expect(scopes).toContain("release:create");
    expect(scopes.filter((scope) => /:(write|update|delete)$|^secure-/.test(scope))).toEqual([]);
  });

  it("let an app only read", () => {
    expect(defaultScopes([HEX, "com.acme.app"]).every((scope) => scope.endsWith(":read"))).toBe(true);
  });

  it("do not give apps development variables", () => {
    expect(defaultScopes(["com.acme.app"])).not.toContain("dev-variable:read");
    expect(defaultScopes(["server"])).toContain("dev-variable:read");
  });
});

it("a token is valid for at most five calendar years", () => {
  expect(latestEnd(new Date("2026-11-20T12:00:00Z"))).toEqual(new Date("2031-11-20T12:00:00Z"));
  expect(latestEnd(new Date("2028-02-29T00:00:00Z"))).toEqual(new Date("2033-03-01T00:00:00Z"));
});
