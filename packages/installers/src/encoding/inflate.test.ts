import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type DeflateFormat, InflateError, type InflateLimits, inflate, inflateByStream } from "./inflate";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const PACK = { "deflate-raw": deflateRawSync, deflate: deflateSync, gzip: gzipSync };
const ample = { maxBytes: 2 ** 24 };

/** The decompressed bytes, or the reason of the error. */
const outcome = (inflating: Promise<Uint8Array>) =>
  inflating.then(
    (bytes) => Buffer.from(bytes),
    (error: unknown) => (error instanceof InflateError ? error.reason : Promise.reject(error)),
  );

describe("inflating", () => {
  test.each(["deflate-raw", "deflate", "gzip"] as const)("restores %s data, small and large", async (format) => {
    for (const size of [0, 1, 1000, 300_000, 2_000_000]) {
      const bytes = Buffer.alloc(size, "the same again ");
      expect(await outcome(inflate(PACK[format](bytes), format, ample))).toEqual(bytes);
    }
  });

  test.each<[string, InflateError["reason"], Uint8Array, InflateLimits]>([
    ["cut short", "damaged", deflateRawSync(Buffer.alloc(1000, "abc")).subarray(0, -1), ample],
    ["followed by more", "damaged", Buffer.concat([deflateRawSync("abc"), Buffer.of(0)]), ample],
    ["larger than asked for", "too_large", deflateRawSync(Buffer.alloc(1000, "abc")), { maxBytes: 999 }],
    ["not empty though nothing may come", "too_large", deflateRawSync("a"), { maxBytes: 0 }],
    ["a bomb of some size", "bomb", deflateRawSync(Buffer.alloc(100_000)), { ...ample, maxRatio: 100 }],
    ["a large bomb", "bomb", deflateRawSync(Buffer.alloc(5_000_000)), { ...ample, maxRatio: 100 }],
  ])("refuses data that is %s", async (_, reason, packed, limits) => {
    expect(await outcome(inflate(packed, "deflate-raw", limits))).toBe(reason);
  });

  test("ignores the rest of the input after `enough` bytes", async () => {
    const contents = Buffer.alloc(100_000, "abc");
    const packed = Buffer.concat([deflateRawSync(contents), Buffer.from("no deflate")]);
    const bytes = await inflate(packed, "deflate-raw", { ...ample, enough: 50_000 });
    expect(bytes.length).toBeGreaterThanOrEqual(50_000);
    expect(contents.subarray(0, bytes.length).equals(bytes)).toBe(true);
  });

  test("rejects with the reason of the signal", async () => {
    const reason = new Error("enough of it");
    await expect(inflate(deflateRawSync("a"), "deflate-raw", ample, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("gives the same result in one call and by stream", async () => {
    const contents = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.tuple(fc.nat(255), fc.nat(400_000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
    );
    const limits = fc.record(
      { maxBytes: fc.oneof(fc.nat(3000), fc.nat(500_000)), maxRatio: fc.integer({ min: 1, max: 200 }) },
      { requiredKeys: ["maxBytes"] },
    );
    const format = fc.constantFrom<DeflateFormat>("deflate-raw", "deflate", "gzip");
    const damage = fc.option(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { freq: 2 });
    const trailing = fc.uint8Array({ maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(contents, format, limits, damage, trailing, async (bytes, kind, most, change, more) => {
        const packed = Buffer.concat([PACK[kind](bytes), more]);
        if (change) packed[Math.floor(change[0] * (packed.length - 1))] = change[1];
        // For data that is both too large and damaged, either reason may come first.
        const bytesOrNull = (inflating: Promise<Uint8Array>) =>
          outcome(inflating).then((result) => (typeof result === "string" ? null : result));
        const atOnce = await bytesOrNull(inflate(packed, kind, most));
        const byStream = await bytesOrNull(inflateByStream(packed, kind, most));
        expect(atOnce).toEqual(byStream);
      }),
      { numRuns: 400 },
    );
  });
});
