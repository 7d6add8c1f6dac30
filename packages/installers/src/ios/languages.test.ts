import { describe, expect, it } from "vitest";
import { languagesOf } from "./languages";

describe("the names of a language", () => {
  it.each([
    ["zh_CN", ["zh_CN", "zh-CN", "zh-Hans", "zh"]],
    ["zh-Hans", ["zh-Hans", "zh-CN", "zh"]],
    ["zh-Hans-CN", ["zh-Hans-CN", "zh-Hans", "zh-CN", "zh"]],
    ["zh_TW", ["zh_TW", "zh-TW", "zh-Hant", "zh"]],
    ["zh-HK", ["zh-HK", "zh-Hant", "zh"]],
    ["pt_BR", ["pt_BR", "pt-BR", "pt"]],
    ["English", ["English", "en"]],
    ["ja", ["ja", "Japanese"]],
    ["nb", ["nb", "no"]],
    ["es", ["es", "Spanish"]],
  ])("of %s are those that folders have, the closest first", (language, expected) => {
    const names = languagesOf(language);
    const places = expected.map((name) => names.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it("of another script are left out", () => {
    expect(languagesOf("zh-TW")).not.toContain("zh-Hans");
    expect(languagesOf("zh-CN")).not.toContain("zh-Hant");
  });
});
