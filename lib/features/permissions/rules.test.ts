import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SCOPES, type Scope, withImplied } from "@/lib/permissions/scopes";
import { changedAccess, type Grant, givesTheSame, targetsOf, wrongPlaces } from "./rules";
import type { ChosenApps, PlaceAccess } from "./schema";

const chosenAppsArbitrary: fc.Arbitrary<ChosenApps> = fc.array(
  fc.record({
    appId: fc.constantFrom("a1", "a2", "a3"),
    environmentIds: fc.array(fc.constantFrom("e1", "e2", "e3"), { maxLength: 4 }),
  }),
  { maxLength: 6 },
);
const scopesArbitrary = fc.array(fc.constantFrom(...SCOPES), { minLength: 1, maxLength: 4 });

describe("the places of a permission", () => {
  it("are all apps if none is given, and the whole app if none of its environments is given", () => {
    expect(targetsOf([])).toBeNull();
    expect(targetsOf([{ appId: "a1", environmentIds: [] }])).toEqual([{ appId: "a1", environmentId: null }]);
  });

  it("are merged if the same app is given several times", () => {
    const some = { appId: "a1", environmentIds: ["e1", "e1", "e2"] };
    expect(targetsOf([some, { appId: "a1", environmentIds: ["e2", "e3"] }])).toEqual(
      ["e1", "e2", "e3"].map((environmentId) => ({ appId: "a1", environmentId })),
    );
    for (const apps of [
      [some, { appId: "a1", environmentIds: [] }],
      [{ appId: "a1", environmentIds: [] }, some],
    ]) {
      expect(targetsOf(apps)).toEqual([{ appId: "a1", environmentId: null }]);
    }
  });

  it("contain each place once and exactly the selection, for any selection", () => {
    fc.assert(
      fc.property(chosenAppsArbitrary, (apps) => {
        const targets = targetsOf(apps);
        expect(targets === null).toBe(apps.length === 0);
        if (targets === null) return;
        const texts = targets.map(({ appId, environmentId }) => `${appId}/${environmentId}`);
        expect(new Set(texts).size).toBe(texts.length);
        for (const { appId, environmentIds } of apps) {
          const whole = texts.includes(`${appId}/null`);
          expect(whole).toBe(apps.some((other) => other.appId === appId && other.environmentIds.length === 0));
          if (!whole) for (const id of environmentIds) expect(texts).toContain(`${appId}/${id}`);
        }
        expect(targets.every(({ appId }) => apps.some((app) => app.appId === appId))).toBe(true);
      }),
    );
  });
});

describe("places of a selection that do not exist", () => {
  it("are reported by path, including environments of another app", () => {
    const apps = [
      { appId: "a1", environmentIds: ["e1", "e9", "e2"] },
      { appId: "a9", environmentIds: ["e1"] },
    ];
    const issues = wrongPlaces(
      apps,
      new Set(["a1", "a2"]),
      new Map([
        ["e1", "a1"],
        ["e2", "a2"],
      ]),
    );
    expect(issues.map(({ path }) => path.join("."))).toEqual([
      "apps.0.environmentIds.1",
      "apps.0.environmentIds.2",
      "apps.1.appId",
    ]);
  });
});

describe("two permissions", () => {
  const some = { scopes: ["release:read", "release:download"] as Scope[], targets: targetsOf([]) };

  it("are the same with and without implied scopes", () => {
    expect(givesTheSame(some, { ...some, scopes: ["release:download"] })).toBe(true);
    expect(givesTheSame(some, { ...some, scopes: ["release:read"] })).toBe(false);
    expect(givesTheSame(some, { ...some, targets: [] })).toBe(false);
  });

  it("are the same in any order of scopes and places", () => {
    fc.assert(
      fc.property(scopesArbitrary, chosenAppsArbitrary, (scopes, apps) => {
        const targets = targetsOf(apps);
        const turned = { scopes: scopes.toReversed(), targets: targets?.toReversed() ?? null };
        expect(givesTheSame({ scopes, targets }, turned)).toBe(true);
      }),
    );
  });
});

describe("a change of a role's access", () => {
  const placeArbitrary = fc.oneof(
    fc.constant({ appId: null, environmentId: null }),
    fc.record({
      appId: fc.constantFrom("a1", "a2"),
      environmentId: fc.constantFrom(null, "e1", "e2"),
    }),
  );
  const grantArbitrary: fc.Arbitrary<Grant> = fc.record({
    scopes: scopesArbitrary,
    targets: fc.option(chosenAppsArbitrary.map((apps) => targetsOf(apps) ?? [])),
  });
  const changeArbitrary: fc.Arbitrary<PlaceAccess> = fc
    .tuple(placeArbitrary, fc.array(fc.constantFrom(...SCOPES), { maxLength: 4 }))
    .map(([place, scopes]) => ({ ...place, scopes }));

  /** What some grants give directly at a place, with implied scopes. */
  const given = (grants: readonly Grant[], place: Pick<PlaceAccess, "appId" | "environmentId">) =>
    withImplied(
      grants.flatMap(({ scopes, targets }) => {
        const isThere = targets === null ? place.appId === null : targets.some((target) => same(target, place));
        return isThere ? scopes : [];
      }),
    );
  const same = (a: object, b: object) =>
    JSON.stringify(Object.entries({ ...a }).sort()) === JSON.stringify(Object.entries({ ...b }).sort());
  const everyPlace = [
    { appId: null, environmentId: null },
    ...["a1", "a2"].flatMap((appId) => [null, "e1", "e2"].map((environmentId) => ({ appId, environmentId }))),
  ];

  it("sets the named places and keeps all others, and groups equal access", () => {
    fc.assert(
      fc.property(
        fc.array(grantArbitrary, { maxLength: 5 }),
        fc.array(changeArbitrary, { maxLength: 5 }),
        (before, changes) => {
          const after = changedAccess(before, changes);
          for (const place of everyPlace) {
            const change = changes.findLast(({ appId, environmentId }) => same({ appId, environmentId }, place));
            expect(given(after, place)).toEqual(change ? withImplied(change.scopes) : given(before, place));
          }
          const keys = after.map(({ scopes, targets }) => `${targets === null} ${withImplied(scopes).join()}`);
          expect(new Set(keys).size).toBe(keys.length);
          for (const { scopes, targets } of after) {
            expect(scopes.length).toBeGreaterThan(0);
            expect(targets?.length).not.toBe(0);
          }
        },
      ),
    );
  });
});
