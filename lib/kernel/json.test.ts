import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MAX_JSON_DEPTH, MAX_JSON_KEYS, MAX_JSON_VALUES, parseJson } from "./json";

const object = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n])));
const list = (values: number) => `[${Array.from({ length: values }, () => "0").join(",")}]`;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Returns the issue with which a text is rejected, and checks that it was not parsed. */
function refusal(text: string): unknown {
  const parse = vi.spyOn(JSON, "parse");
  try {
    parseJson(text);
    return "accepted";
  } catch (error) {
    expect(parse).not.toHaveBeenCalled();
    return (error as { issues: unknown[] }).issues[0];
  } finally {
    parse.mockRestore();
  }
}

describe("JSON in a request", () => {
  it("is accepted up to the limits, and rejected beyond them before it is parsed", () => {
    const tooMany = (limit: number) => ({
      path: [""],
      code: "tooManyFields",
      message: "tooManyFields",
      params: { limit },
    });
    expect(parseJson(object(MAX_JSON_KEYS))).toHaveProperty("k99", 99);
    expect(refusal(object(MAX_JSON_KEYS + 1))).toEqual(tooMany(MAX_JSON_KEYS));
    expect(refusal(`[{"a":${object(MAX_JSON_KEYS + 1)}}]`)).toEqual(tooMany(MAX_JSON_KEYS));
    expect(parseJson(list(MAX_JSON_VALUES))).toHaveLength(MAX_JSON_VALUES);
    expect(refusal(list(MAX_JSON_VALUES + 1))).toEqual(tooMany(MAX_JSON_VALUES));
    expect(refusal(`[${"{},".repeat(MAX_JSON_VALUES / 2)}{}]`)).toEqual(tooMany(MAX_JSON_VALUES));
    expect(parseJson(nested(MAX_JSON_DEPTH))).toEqual([expect.anything()]);
    expect(refusal(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ message: "invalid" });
  });

  it("is limited in the keys of each object, not of all together", () => {
    expect(parseJson(`[${object(MAX_JSON_KEYS)},${object(MAX_JSON_KEYS)}]`)).toHaveLength(2);
    expect(parseJson(`{"a":${object(60)},"b":${object(60)}}`)).toHaveProperty("b.k59", 59);
  });

  it("may contain any characters in strings", () => {
    for (const text of [
      ":".repeat(200),
      "[".repeat(200),
      '\\"{'.repeat(200),
      "\\\\",
      ",".repeat(MAX_JSON_VALUES + 1),
    ]) {
      expect(parseJson(JSON.stringify({ text, more: [text] }))).toEqual({ text, more: [text] });
    }
  });

  it("is parsed as JSON.parse does, with the same errors", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    for (const text of ["", "{", '"', '"\\', "]]]", ":::", '{"a":1}}', "[1,,2]"]) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    }
  });
});
