import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRange, type ByteRange, coversAll, MAX_RANGES, union } from "./ranges";

const bytesIn = (ranges: readonly ByteRange[]) => ranges.reduce((sum, [start, end]) => sum + end - start, 0);

const SIZE = 200;

/** A range that may overlap others, repeat them, end early or be empty. */
const range = fc
  .tuple(fc.nat(SIZE), fc.nat(SIZE))
  .map(([one, other]): ByteRange => [Math.min(one, other), Math.max(one, other)]);

/** The bytes of ranges, one by one. */
function bytesOf(ranges: readonly ByteRange[]): Set<number> {
  return new Set(ranges.flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index)));
}

describe("ranges of a file", () => {
  it("are together the bytes of each, whichever overlap, repeat or end early, in any order", () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 40 }), fc.array(range, { maxLength: 40 }), (some, others) => {
        const joined = union(some.reduce<ByteRange[]>(addRange, []), others.reduce<ByteRange[]>(addRange, []));
        const expected = bytesOf([...some, ...others]);
        expect(bytesOf(joined)).toEqual(expected);
        expect(bytesIn(joined)).toBe(expected.size);
        expect(coversAll(joined, SIZE)).toBe(expected.size === SIZE);
        // In their order, apart from each other.
        for (const [index, [start]] of joined.entries()) expect(start).toBeGreaterThan(joined[index - 1]?.[1] ?? -1);
      }),
      { numRuns: 500 },
    );
  });

  it("of a client that asks for single bytes far apart are limited to the largest", () => {
    const single = Array.from({ length: 5_000 }, (_, index): ByteRange => [index * 2, index * 2 + 1]);
    const kept = union([[20_000, 21_000]], single);
    expect(kept).toHaveLength(MAX_RANGES);
    expect(kept.at(-1)).toEqual([20_000, 21_000]);
    expect(bytesIn(kept)).toBe(1_000 + MAX_RANGES - 1);
  });

  it("are all of an empty file at no time", () => {
    expect(coversAll([], 0)).toBe(false);
  });
});
