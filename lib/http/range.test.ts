import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRange, parseRange } from "./range";

const ETAG = '"abc"';
const LAST_MODIFIED = new Date("2026-11-20T10:00:00.400Z");
const DATE = "Fri, 20 Nov 2026 10:00:00 GMT";
const EARLIER = "Fri, 20 Nov 2026 09:59:59 GMT";
const LATER = "Fri, 20 Nov 2026 10:00:01 GMT";
const file = { size: 1000, etag: ETAG, lastModified: LAST_MODIFIED };

const decide = (headers: Record<string, string>, method = "GET", of = file) =>
  decideRange(method, new Headers(headers), of);

describe("a Range header", () => {
  it.each([
    ["bytes=0-499", { start: 0, end: 499 }],
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=999-999", { start: 999, end: 999 }],
    ["bytes=500-", { start: 500, end: 999 }],
    ["bytes=500-5000", { start: 500, end: 999 }],
    ["bytes=-1", { start: 999, end: 999 }],
    ["bytes=-1000", { start: 0, end: 999 }],
    ["bytes=-5000", { start: 0, end: 999 }],
    ["BYTES=0-1", { start: 0, end: 1 }],
    ["bytes= 0-1 ", { start: 0, end: 1 }],
    ["bytes=00000000000000000000-1", { start: 0, end: 1 }],
    [`bytes=0-${"9".repeat(400)}`, { start: 0, end: 999 }],
    [`bytes=-${"9".repeat(400)}`, { start: 0, end: 999 }],
  ])("%j gives a range", (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range);
  });

  it.each(["bytes=1000-", "bytes=1000-2000", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
    "%j cannot be satisfied",
    (header) => {
      expect(parseRange(header, 1000)).toBe("unsatisfiable");
    },
  );

  it.each([
    "bytes=0-1,5-9",
    "bytes=",
    "bytes=-",
    "bytes=5-4",
    "bytes=a-b",
    "bytes=1.5-2",
    "bytes=--1",
    "bytes 0-1",
    "items=0-1",
    "0-1",
    "",
    "bytes=0-1;",
    "bytes=+0-1",
    "bytes=0x0-1",
    "bytes=٠-١",
  ])("%j is ignored", (header) => {
    expect(parseRange(header, 1000)).toBe("whole");
  });

  it("of an empty file can be satisfied by nothing but the end of it", () => {
    expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(parseRange("bytes=0-0", 0)).toBe("unsatisfiable");
    expect(parseRange("bytes=-5", 0)).toBe("whole");
  });

  it("never leads out of the file, whatever it says", () => {
    const headers = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }))
        .map(([a, b]) => `bytes=${a}-${b}`),
      fc.tuple(fc.nat(2000), fc.nat(2000)).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat(2000).map((a) => `bytes=-${a}`),
      fc.nat(2000).map((a) => `bytes=${a}-`),
    );
    fc.assert(
      fc.property(headers, fc.nat(1500), (header, size) => {
        const range = parseRange(header, size);
        if (typeof range === "string") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a GET", () => {
  const partial = { status: 206, start: 0, end: 9 };

  it("without conditions gets all, with a range that range, with an impossible one 416", () => {
    expect(decide({})).toEqual({ status: 200 });
    expect(decide({ range: "bytes=0-9" })).toEqual(partial);
    expect(decide({ range: "bytes=1000-" })).toEqual({ status: 416 });
    expect(decide({ range: "bytes=0-1,3-4" })).toEqual({ status: 200 });
  });

  it.each([
    [ETAG, partial],
    ['"other"', { status: 200 }],
    [`W/${ETAG}`, { status: 200 }],
    [DATE, partial],
    [EARLIER, { status: 200 }],
    [LATER, { status: 200 }],
    ["nonsense", { status: 200 }],
    ["*", { status: 200 }],
  ])("with a range and If-Range %s", (ifRange, decision) => {
    expect(decide({ range: "bytes=0-9", "if-range": ifRange })).toEqual(decision);
  });

  it("with If-Range gets all instead of 416 where the file has changed", () => {
    expect(decide({ range: "bytes=1000-", "if-range": '"other"' })).toEqual({ status: 200 });
  });

  it.each([
    [ETAG, 304],
    [`W/${ETAG}`, 304],
    [`"x", ${ETAG}`, 304],
    ["*", 304],
    ['"other"', 200],
    ['"a,b"', 200],
    ["abc", 200],
    ["", 200],
  ])("with If-None-Match %s", (ifNoneMatch, status) => {
    expect(decide({ "if-none-match": ifNoneMatch })).toEqual({ status });
  });

  it.each([
    [DATE, 304],
    [LATER, 304],
    [EARLIER, 200],
    ["nonsense", 200],
    ["2026-11-20", 200],
    ["Friday, 20-Nov-26 10:00:00 GMT", 304],
    ["Fri Nov 20 10:00:00 2026", 304],
    ["Fri Nov 20 09:59:59 2026", 200],
  ])("with If-Modified-Since %s", (ifModifiedSince, status) => {
    expect(decide({ "if-modified-since": ifModifiedSince })).toEqual({ status });
  });

  it.each([
    [ETAG, 200],
    ["*", 200],
    [`"x", ${ETAG}`, 200],
    ['"other"', 412],
    [`W/${ETAG}`, 412],
  ])("with If-Match %s", (ifMatch, status) => {
    expect(decide({ "if-match": ifMatch })).toEqual({ status });
  });

  it.each([
    [DATE, 200],
    [LATER, 200],
    [EARLIER, 412],
    ["nonsense", 200],
  ])("with If-Unmodified-Since %s", (ifUnmodifiedSince, status) => {
    expect(decide({ "if-unmodified-since": ifUnmodifiedSince })).toEqual({ status });
  });

  it("believes etags before dates, and decides conditions before ranges", () => {
    expect(decide({ "if-none-match": '"other"', "if-modified-since": DATE })).toEqual({ status: 200 });
    expect(decide({ "if-match": ETAG, "if-unmodified-since": EARLIER })).toEqual({ status: 200 });
    expect(decide({ "if-none-match": ETAG, range: "bytes=0-9" })).toEqual({ status: 304 });
    expect(decide({ "if-match": '"other"', "if-none-match": ETAG })).toEqual({ status: 412 });
  });

  it("does not look at dates where the file has none", () => {
    const undated = { ...file, lastModified: undefined } as unknown as typeof file;
    expect(decide({ "if-modified-since": LATER }, "GET", undated)).toEqual({ status: 200 });
    expect(decide({ "if-unmodified-since": EARLIER }, "GET", undated)).toEqual({ status: 200 });
    expect(decide({ range: "bytes=0-9", "if-range": DATE }, "GET", undated)).toEqual({ status: 200 });
  });
});

describe("a HEAD", () => {
  it("minds the conditions and ignores ranges", () => {
    expect(decide({ range: "bytes=0-9" }, "HEAD")).toEqual({ status: 200 });
    expect(decide({ range: "bytes=1000-" }, "HEAD")).toEqual({ status: 200 });
    expect(decide({ "if-none-match": ETAG }, "HEAD")).toEqual({ status: 304 });
  });
});
