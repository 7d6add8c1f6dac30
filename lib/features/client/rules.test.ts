import { describe, expect, it } from "vitest";
import { EXAMPLES, type ExampleLanguage, exampleWith, SAMPLE_VALUES, stringLiteral } from "./rules";

const LANGUAGES = Object.keys(EXAMPLES) as ExampleLanguage[];
/** The languages whose code asks the system for the app's identifier. */
const OF_APPS: readonly ExampleLanguage[] = ["kotlin", "swift", "dart"];
const VALUES = {
  baseUrl: "https://console.test",
  environmentName: 'com.acme.app "QA"',
  publicKey: "k".repeat(43),
  identifier: "test.app",
};

describe.each(LANGUAGES)("the example in %s", (language) => {
  it("contains each sample value once, as a literal", () => {
    const expected = { ...SAMPLE_VALUES, ...(OF_APPS.includes(language) && { identifier: null }) };
    for (const value of Object.values(expected)) {
      if (value === null) continue;
      expect(EXAMPLES[language].split(stringLiteral(language, value))).toHaveLength(2);
    }
  });

  it("is filled with the values of an environment and nothing else", () => {
    const code = exampleWith(language, VALUES);
    const back = Object.entries(VALUES).reduce(
      (text, [name, value]) =>
        text.replace(
          stringLiteral(language, value),
          stringLiteral(language, SAMPLE_VALUES[name as keyof typeof SAMPLE_VALUES]),
        ),
      code,
    );
    expect(code).toContain(stringLiteral(language, VALUES.environmentName));
    expect(back).toBe(EXAMPLES[language]);
  });

  it("reads the token from its surroundings", () => {
    expect(EXAMPLES[language]).toContain("SLIPWAY_TOKEN");
    expect(EXAMPLES[language]).not.toContain("slw_");
  });
});

it.each(LANGUAGES.filter((language) => !OF_APPS.includes(language)))(
  "the example in %s for a server sends no identifier, and is otherwise the same",
  (language) => {
    const server = exampleWith(language, { ...VALUES, identifier: null }).split("\n");
    const app = exampleWith(language, VALUES).split("\n");
    expect(app.filter((line) => !line.includes("X-App-Identifier"))).toEqual(server);
    expect(app).toHaveLength(server.length + 1);
  },
);

describe("a string literal", () => {
  it.each([
    ["kotlin", `a"b'c\\d$e\n`, `"a\\"b'c\\\\d\\$e\\n"`],
    ["dart", `a"b'c\\d$e\n`, `'a"b\\'c\\\\d\\$e\\n'`],
    ["swift", `a"b'c\\(d)$e\n`, `"a\\"b'c\\\\(d)$e\\n"`],
    ["swift", "\u0000\u202e\u2028é😀", `"\\u{0000}\\u{202e}\\u{2028}é😀"`],
    ["kotlin", "\u0000\u202e\u2028é😀", `"\\u0000\\u202e\\u2028é😀"`],
  ] as const)("of %s escapes what the language would interpret", (language, text, literal) => {
    expect(stringLiteral(language, text)).toBe(literal);
  });

  it("displays no control character or change of direction", () => {
    for (const language of LANGUAGES.filter((one) => one !== "curl")) {
      expect(stringLiteral(language, "\u0007\u200f\u202e\u2066\ufeff")).toMatch(/^[ -~]+$/);
    }
  });
});
