import { describe, expect, it } from "vitest";
import { plainText } from "./text";

describe("plainText", () => {
  it("puts text on one line without control and bidirectional characters", () => {
    expect(plainText(" a\nb\u2028c\u202Ed\0 ")).toBe("a b cd");
    expect(plainText("half of a pair: \ud83d")).toBe("half of a pair: \ufffd");
  });

  it("is empty if nothing of the text is seen", () => {
    expect(["\u200B", " \u00AD\u2060 ", "\u3164", "\u2800\u200D", ""].map((text) => plainText(text))).toEqual(
      Array(5).fill(""),
    );
    expect(plainText("a\u200Bb")).toBe("a\u200Bb");
  });

  it("cuts off a text beyond the limit", () => {
    expect(plainText("abcdef", 6)).toBe("abcdef");
    expect(plainText("abcdefg", 6)).toBe("abcde…");
    expect(plainText("abcd\u{1f600}e", 6)).toBe("abcd\ufffd…");
  });

  it("reads a limited part of a long text", () => {
    expect(plainText(`${"\u202E".repeat(10 * 16)}a`, 10)).toBe("");
    expect(plainText(`${"\u202E".repeat(9 * 16)}a`, 10)).toBe("a");
  });
});
