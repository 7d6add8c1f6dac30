import { describe, expect, it } from "vitest";
import { defaultScopes } from "@/lib/features/api-tokens/rules";
import { TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { dialogPath } from "@/lib/kernel/navigation/requested-dialog";
import { withImplied } from "@/lib/permissions/scopes";
import { identifiersOf, isIdentifierOf, recommendedScopes, requestedToken, TOKEN_PURPOSES } from "./token-purpose";

const HASH = "0123456789abcdef".repeat(4);

describe("the purpose of a token", () => {
  it("gives a server no secrets, and an app nothing that it could change, as the API does by default", () => {
    expect(withImplied(recommendedScopes("server")).filter((scope) => scope.startsWith("secure-"))).toEqual([]);
    expect(recommendedScopes("server")).toEqual(defaultScopes(["server"]));
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
    const url = new URL(dialogPath(TOKENS_PATH, "create-token", { purpose: "ios", environment }), "http://console");
    expect(requestedToken(Object.fromEntries(url.searchParams))).toEqual({
      purpose: "ios",
      environmentId: environment,
    });
    const open = "create-token";
    const server = { purpose: "server", environmentId: undefined };
    expect(requestedToken({ open })).toEqual(server);
    expect(requestedToken({ open, "open.purpose": "everything", "open.environment": ["a", "b"] })).toEqual(server);
    expect(requestedToken({ open: "create-app", "open.purpose": "ios" })).toBeNull();
    expect(requestedToken({})).toBeNull();
  });
});
