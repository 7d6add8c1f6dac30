import { describe, expect, it } from "vitest";
import { PRESET_SCOPES, PRESETS } from "@/lib/permissions/presets";
import type { Scope } from "@/lib/permissions/scopes";
import {
  accessOf,
  afterPress,
  changesBetween,
  EVERYWHERE,
  includesPreset,
  inheritedScopes,
  keyOf,
  levelOf,
  placeOf,
} from "./access-draft";

const app = { appId: "a1", environmentId: null };
const environment = { appId: "a1", environmentId: "e1" };
const permission = (scopes: Scope[], apps: Parameters<typeof accessOf>[0][number]["apps"]) => ({ scopes, apps });

describe("the access of a role", () => {
  it("is read from permissions, also overlapping ones", () => {
    const access = accessOf([
      permission(["release:read"], "all"),
      permission(["release:download"], [{ id: "a1", name: "Orbit", environments: "all" }]),
      permission(["release:create"], [{ id: "a1", name: "Orbit", environments: [{ id: "e1", name: "Staging" }] }]),
      permission(["release:delete"], [{ id: "a1", name: "Orbit", environments: [{ id: "e1", name: "Staging" }] }]),
    ]);
    expect(access).toEqual(
      new Map([
        [keyOf(EVERYWHERE), ["release:read"]],
        [keyOf(app), ["release:download"]],
        [keyOf(environment), ["release:create", "release:delete"]],
      ]),
    );
    expect(inheritedScopes(access, EVERYWHERE)).toEqual([]);
    expect(inheritedScopes(access, app)).toEqual(["release:read"]);
    expect(inheritedScopes(access, environment)).toEqual(["release:read", "release:download"]);
  });

  it("knows a place by its key", () => {
    for (const place of [EVERYWHERE, app, environment]) expect(placeOf(keyOf(place))).toEqual(place);
  });

  it("has a level at each place", () => {
    expect(levelOf([])).toBe("none");
    for (const preset of PRESETS) expect(levelOf(PRESET_SCOPES[preset])).toBe(preset);
    expect(levelOf(["release:delete"])).toBe("custom");
    expect(includesPreset(PRESET_SCOPES.publisher, "tester")).toBe(true);
    expect(includesPreset(PRESET_SCOPES.tester, "publisher")).toBe(false);
  });

  it("rises to the pressed preset, and falls to the one below if it is pressed again", () => {
    expect(afterPress([], "tester")).toBe(PRESET_SCOPES.tester);
    expect(afterPress(["release:delete"], "viewer")).toBe(PRESET_SCOPES.viewer);
    expect(afterPress(PRESET_SCOPES.tester, "tester")).toBe(PRESET_SCOPES.viewer);
    expect(afterPress(PRESET_SCOPES.viewer, "viewer")).toEqual([]);
  });

  it("is sent as the places that differ in effect", () => {
    const before = new Map<string, Scope[]>([
      [keyOf(app), ["release:download"]],
      [keyOf(EVERYWHERE), ["release:read"]],
    ]);
    const after = new Map<string, Scope[]>([
      [keyOf(app), ["release:read", "release:download"]],
      [keyOf(environment), ["release:delete"]],
    ]);
    expect(changesBetween(before, after)).toEqual([
      { ...EVERYWHERE, scopes: [], expected: ["release:read"] },
      { ...environment, scopes: ["release:delete"], expected: [] },
    ]);
  });
});
