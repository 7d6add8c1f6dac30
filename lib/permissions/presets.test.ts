import { describe, expect, it } from "vitest";
import { PRESET_SCOPES, PRESETS, presetOf } from "./presets";
import { SCOPES, withImplied } from "./scopes";

describe("presets", () => {
  it("include each other, from the smallest to the largest", () => {
    const held = PRESETS.map((preset) => withImplied(PRESET_SCOPES[preset]));
    for (const [index, scopes] of held.slice(1).entries()) {
      expect(scopes).toEqual(expect.arrayContaining(held[index] ?? []));
      expect(scopes.length).toBeGreaterThan(held[index]?.length ?? 0);
    }
  });

  it("reveal secrets to maintainers only", () => {
    for (const preset of PRESETS) {
      const secure = withImplied(PRESET_SCOPES[preset]).filter((scope) => scope.startsWith("secure-"));
      expect(secure.length > 0).toBe(preset === "maintainer");
    }
  });

  it("are recognized by their effect, in any order and with implied scopes", () => {
    for (const preset of PRESETS) {
      expect(presetOf(PRESET_SCOPES[preset].toReversed())).toBe(preset);
      expect(presetOf(withImplied(PRESET_SCOPES[preset]))).toBe(preset);
    }
    expect(presetOf(["release:delete"])).toBeNull();
    expect(presetOf([])).toBeNull();
    expect(presetOf(SCOPES.slice(1))).toBe("maintainer");
  });
});
