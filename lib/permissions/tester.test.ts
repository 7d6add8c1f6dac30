import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "./scopes";
import { isTester } from "./tester";

const user = (...scopes: Scope[]) => ({ isAdmin: false, grants: [{ scopes, apps: "all" as const }] });

describe("a tester", () => {
  it("reads and downloads releases, and sees environments", () => {
    expect(isTester(user("release:download"))).toBe(true);
    expect(isTester(user("release:read", "release:download", "environment:read"))).toBe(true);
    expect(isTester({ isAdmin: false, grants: [] })).toBe(true);
  });

  it("holds no other scope anywhere, and is no administrator", () => {
    const others = SCOPES.filter((scope) => !isTester(user("release:download", scope)));
    expect(others).toHaveLength(SCOPES.length - 3);
    const [grant] = user("release:read").grants;
    expect(isTester({ isAdmin: false, grants: [grant as never, ...user("release:create").grants] })).toBe(false);
    expect(isTester({ isAdmin: true, grants: [] })).toBe(false);
  });
});
