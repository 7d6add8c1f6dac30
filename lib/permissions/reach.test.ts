import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Grant, TokenActor } from "@/lib/permissions/actor";
import { anActor, appIdArbitrary, environmentIdArbitrary, grantsArbitrary } from "@/lib/testing/grants";
import { scopesFor } from "./authorize";
import { type Reach, reachOf } from "./reach";
import { SCOPES } from "./scopes";

/** What the condition of a query means for one environment. */
function within(reach: Reach, appId: string, environmentId: string): boolean {
  return reach === "all" || reach.appIds.includes(appId) || reach.environmentIds.includes(environmentId);
}

/** Environments as they are in the database: each of one app alone. */
const placeArbitrary = fc
  .tuple(appIdArbitrary, environmentIdArbitrary)
  .map(([appId, name]) => ({ appId, environmentId: `${appId}/${name}` }));

const realGrantsArbitrary = grantsArbitrary.map((grants) =>
  grants.map(({ scopes, apps }): Grant => {
    if (apps === "all") return { scopes, apps };
    const entries = [...apps].map(
      ([appId, environments]) =>
        [
          appId,
          environments === "all" ? ("all" as const) : new Set([...environments].map((name) => `${appId}/${name}`)),
        ] as const,
    );
    return { scopes, apps: new Map(entries) };
  }),
);

describe("what an actor reaches", () => {
  it("is, for any grants, where the one check of rights finds something", () => {
    fc.assert(
      fc.property(realGrantsArbitrary, placeArbitrary, (grants, place) => {
        const actor = anActor(grants);
        expect(within(reachOf(actor), place.appId, place.environmentId)).toBe(scopesFor(actor, place).length > 0);
      }),
    );
  });

  it("is, for any grants and a scope, where the one check of rights finds that scope", () => {
    fc.assert(
      fc.property(realGrantsArbitrary, placeArbitrary, fc.constantFrom(...SCOPES), (grants, place, scope) => {
        const actor = anActor(grants);
        const held = scopesFor(actor, place).includes(scope);
        expect(within(reachOf(actor, scope), place.appId, place.environmentId)).toBe(held);
      }),
    );
  });

  it("is nothing without a session", () => {
    expect(reachOf({ kind: "anonymous", expired: false })).toEqual({ appIds: [], environmentIds: [] });
  });

  it("is the one environment of a token", () => {
    const token: TokenActor = {
      kind: "token",
      identifier: "server",
      tokenId: "t",
      name: "CI",
      appId: "a1",
      environmentId: "e1",
      isEnvironmentActive: true,
      validUntil: new Date("2030-01-01"),
      grants: [{ scopes: ["release:create"], apps: new Map([["a1", new Set(["e1"])]]) }],
    };
    expect(reachOf(token)).toEqual({ appIds: [], environmentIds: ["e1"] });
    expect(reachOf(token, "release:read")).toEqual({ appIds: [], environmentIds: ["e1"] });
    expect(reachOf(token, "release:delete")).toEqual({ appIds: [], environmentIds: [] });
  });
});
