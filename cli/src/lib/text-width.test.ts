import { describe, expect, it } from "vitest";
import { cellsOf, padTo, wrap } from "./text-width";

describe("the width of a text in a terminal", () => {
  it.each([
    ["Acme", 4],
    ["Größe", 5],
    ["e\u0301", 1],
    ["日本語", 6],
    ["🚀 ship", 7],
    ["👩‍👩‍👧", 2],
    ["\u001b[32m✓\u001b[39m", 1],
  ])("of %j is %i", (text, cells) => expect(cellsOf(text)).toBe(cells));

  it("is that of aligned columns", () => expect(cellsOf(padTo("日本", 8))).toBe(8));
});

describe("wrapping", () => {
  it("breaks between words and keeps the indentation of a line", () => {
    expect(wrap("  one two three\nfour", 10)).toBe("  one two\n  three\nfour");
  });

  it("keeps the columns of a line", () =>
    expect(wrap("ok    DNS   127.0.0.1 or so", 21)).toBe("ok    DNS   127.0.0.1\nor so"));

  it("keeps a URL in one piece", () => {
    expect(wrap("Open https://slipway.example.com/releases?id=1 now", 20)).toBe(
      "Open\nhttps://slipway.example.com/releases?id=1\nnow",
    );
  });
});
