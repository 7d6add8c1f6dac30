import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/kernel/errors";
import { MAX_PARTS } from "@/lib/kernel/upload-limits";

import { MAX_PARTS_BYTES, orderedParts, partLength, partNumbers, partSizeFor } from "./rules";

const MIB = 1024 * 1024;
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 100 * MIB }),
  fc.integer({ min: 1, max: MAX_PARTS_BYTES }),
  fc.constantFrom(1, 8 * MIB, 8 * MIB + 1, MAX_PARTS_BYTES),
);

describe("the parts of an upload", () => {
  it("are 8 to 64 MiB, at most 10,000, and make up the file", () => {
    fc.assert(
      fc.property(sizes, (size) => {
        const partSize = partSizeFor(size);
        expect(partSize % MIB).toBe(0);
        expect(partSize).toBeGreaterThanOrEqual(8 * MIB);
        expect(partSize).toBeLessThanOrEqual(64 * MIB);
        const numbers = partNumbers({ size, partSize });
        expect(numbers.length).toBeLessThanOrEqual(MAX_PARTS);
        const lengths = numbers.map((number) => partLength({ size, partSize }, number) as number);
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(size);
        expect(lengths.slice(0, -1).every((length) => length === partSize)).toBe(true);
        expect(lengths.at(-1)).toBeGreaterThan(0);
        expect(partLength({ size, partSize }, 0)).toBeUndefined();
        expect(partLength({ size, partSize }, numbers.length + 1)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it("take about a minute each at 1 Mbit/s, up to 8 GiB", () => {
    expect((partSizeFor(7 * 1024 * MIB) * 8) / 1_000_000).toBeLessThan(70);
    expect((partSizeFor(8 * 1024 * MIB) * 8) / 1_000_000).toBeLessThan(80);
  });
});

describe("the parts that a client names", () => {
  const upload = { size: 25 * MIB, partSize: 8 * MIB };
  const named = [4, 2, 1, 3].map((number) => ({ number, etag: `"e${number}"` }));

  it("are put in order, and their tags out of quotation marks", () => {
    expect(orderedParts(upload, named)).toEqual([1, 2, 3, 4].map((number) => ({ number, etag: `e${number}` })));
  });

  it.each([
    ["one is missing", named.slice(1)],
    ["one is named twice", [...named.slice(1), { number: 2, etag: "e2" }]],
    ["there is one too many", [...named, { number: 5, etag: "e5" }]],
  ])("are refused where %s", (_what, parts) => {
    expect(() => orderedParts(upload, parts)).toThrow(ApiError);
  });
});
