import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldIssues } from "./issues";
import { nameSchema } from "./name-schema";

describe("a name", () => {
  it.each(["Ada", "Zoë O’Brien", "東京", "مرحبا", "👩‍👩‍👧 team", "a\u200fb", "  Staging  "])("may be %j", (name) => {
    expect(nameSchema.parse(name)).toBe(name.trim());
  });

  it.each(["a\0b", "a\u001b[31mb", "a\nb", "a\tb", "a\u0085b", "a\u2028b", "gpj\u202eexe", "a\u2066b", "   "])(
    "may not be %j",
    (name) => {
      const { error } = nameSchema.safeParse(name);
      const message = name.trim() === "" ? "required" : "nameCharacters";
      expect(fieldIssues(error?.issues ?? [])).toMatchObject([{ message }]);
    },
  );

  it("has no control character and nothing that changes the direction of the text after it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { success, data = "" } = nameSchema.safeParse(text);
        if (success) expect(data).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 1_000 },
    );
  });
});
