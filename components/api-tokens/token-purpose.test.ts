import { describe, expect, it } from "vitest";
import { newTokenPath } from "@/lib/kernel/navigation/pages";
import { withImplied } from "@/lib/permissions/scopes";
import { identifiersOf, isIdentifierOf, recommendedScopes, requestedToken, TOKEN_PURPOSES } from "./token-purpose";

const HASH = "0123456789abcdef".repeat(4);

describe("the purpose of a token", () => {
  it("gives a server no secrets, and an app nothing that it could change", () => {
    expect(withImplied(recommendedScopes("server")).filter((scope) => scope.startsWith("secure-"))).toEqual([]);
    for (const purpose of ["ios", "android"] as const) {
      expect(recommendedScopes(purpose).every((scope) => scope.endsWith(":read"))).toBe(true);
    }
  });

  it("accepts only its own kind of identifier", () => {
    const accepted = (identifier: string) => TOKEN_PURPOSES.filter((purpose) => isIdentifierOf(purpose, identifier));
    expect(accepted("com.acme.notes")).toEqual(["ios"]);
    expect(accepted(HASH)).toEqual(["android"]);
    expect(accepted("server")).toEqual(["server"]);
  });

  it("identifies a server by the word alone", () => {
    expect(identifiersOf("server", ["com.acme.notes"])).toEqual(["server"]);
    expect(identifiersOf("ios", ["com.acme.notes"])).toEqual(["com.acme.notes"]);
  });

  it("is read from a URL, with the environment", () => {
    const environment = "019a0000-0000-7000-8000-000000000001";
    const url = new URL(newTokenPath("ios", environment), "http://console");
    expect(requestedToken(Object.fromEntries(url.searchParams))).toEqual({
      purpose: "ios",
      environmentId: environment,
    });
    expect(requestedToken({ create: "server", environment: ["a", "b"] })).toEqual({ purpose: "server" });
    expect(requestedToken({ create: "everything" })).toBeNull();
    expect(requestedToken({})).toBeNull();
  });
});
