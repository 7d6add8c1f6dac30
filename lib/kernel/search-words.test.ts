import { describe, expect, it } from "vitest";
import { matchesWords, scoreOf, searchWords } from "./search-words";

describe("searchWords", () => {
  it("has neither case nor accents, and at most eight words", () => {
    expect(searchWords("  ÓRBITA  Añadir ")).toEqual(["orbita", "anadir"]);
    expect(searchWords("a b c d e f g h i j")).toHaveLength(8);
    expect(searchWords(" ")).toEqual([]);
  });
});

describe("matchesWords", () => {
  it("finds every word anywhere in the text", () => {
    expect(matchesWords("Órbita Móvil", "movil orb")).toBe(true);
    expect(matchesWords("Órbita Móvil", "orbita web")).toBe(false);
    expect(matchesWords("Órbita", "")).toBe(true);
  });
});

describe("scoreOf", () => {
  it("prefers the beginning of a word to its middle, and both to a typing mistake", () => {
    expect(scoreOf("Staging", ["stag"])).toBe(3);
    expect(scoreOf("Staging", ["ging"])).toBe(2);
    expect(scoreOf("Staging", ["stgaing"])).toBe(1);
    expect(scoreOf("Órbita Staging", ["orb", "stag"])).toBe(6);
  });

  it.each(["stging", "staaging", "stafing", "satging", "stagin"])("finds Staging by %s", (word) => {
    expect(scoreOf("Staging", [word])).not.toBeNull();
  });

  it.each(["stx", "taxing", "production", "xstaging", "sgtnaig"])("does not find Staging by %s", (word) => {
    expect(scoreOf("Staging", [word])).toBeNull();
  });

  it("needs every word", () => {
    expect(scoreOf("Staging", ["staging", "ios"])).toBeNull();
    expect(scoreOf("Staging", [])).toBe(0);
  });
});
