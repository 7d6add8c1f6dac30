import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Canvas, DrawingBudget } from "./canvas";
import { type Contour, PathError, parsePath, strokePath } from "./path";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const points = (data: string) =>
  parsePath(data).map((contour) => contour.points.map((value) => Math.round(value * 1e6) / 1e6));

/** The area that contours cover, in square units of a viewport of 100. */
function areaOf(contours: Contour[], rule: "nonzero" | "evenodd" = "nonzero"): number {
  const canvas = new Canvas(100, new DrawingBudget());
  const covered = canvas.coverage(contours, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, rule);
  return covered.reduce((sum, amount) => sum + Math.min(1, amount), 0);
}

describe("path data", () => {
  it.each([
    ["absolute lines", "M1,2L3,4H5V6Z", [[1, 2, 3, 4, 5, 4, 5, 6]]],
    ["relative lines", "m1,2l2,2h2v2z", [[1, 2, 3, 4, 5, 4, 5, 6]]],
    ["lines after a move without a command", "M1 2 3 4 5 6", [[1, 2, 3, 4, 5, 6]]],
    ["numbers that run together", "M1-2.5L.5.5-1-1", [[1, -2.5, 0.5, 0.5, -1, -1]]],
  ])("is read: %s", (_, data, expected) => {
    expect(points(data)).toEqual(expected);
  });

  it("starts a new contour after a close", () => {
    expect(points("M0 0H10V10ZL5 5")).toEqual([
      [0, 0, 10, 0, 10, 10],
      [0, 0, 5, 5],
    ]);
  });

  it("has curves with the given end points", () => {
    for (const data of [
      "M0 0C10 0 10 20 30 40",
      "M0 0S10 20 30 40",
      "M0 0Q10 20 30 40",
      "M0 0T30 40",
      "M0 0A25 25 0 0 1 30 40",
    ]) {
      expect(points(data)[0]?.slice(-2)).toEqual([30, 40]);
    }
  });

  it.each([
    ["a circle of arcs", "M50,30a20,20 0,1 0,0.001 0z", Math.PI * 400],
    ["a circle whose flags run together", "M50,30a20,20 0 10.001 0z", Math.PI * 400],
    [
      "a circle of curves",
      "M70 50C70 61.05 61.05 70 50 70S30 61.05 30 50 38.95 30 50 30 70 38.95 70 50Z",
      Math.PI * 400,
    ],
    ["an ellipse turned upright", "M30,50a20,10 90,1 0,0.001 0z", Math.PI * 200],
    ["an arc whose radius is too short", "M40,50a1,1 0,0 1,20 0z", (Math.PI * 100) / 2],
    ["a square", "M10.5 10.25h20v20h-20z", 400],
  ])("covers the right area: %s", (_, data, area) => {
    const covered = areaOf(parsePath(data));
    expect(covered).toBeGreaterThan(area * 0.99);
    expect(covered).toBeLessThan(area * 1.01);
  });

  it("has a hole by the even-odd rule and by opposite winding", () => {
    const same = parsePath("M10 10h40v40h-40zM20 20h20v20h-20z");
    expect(areaOf(same, "evenodd")).toBeCloseTo(1200);
    expect(areaOf(same)).toBeCloseTo(1600);
    expect(areaOf(parsePath("M10 10h40v40h-40zM20 20v20h20v-20z"))).toBeCloseTo(1200);
  });

  it.each(["X", "M1", "M1,2L", "M1 2 L x y", "M1e999 0L1 1"])("is refused when it is %j", (data) => {
    expect(() => parsePath(data)).toThrow(PathError);
  });

  it("is refused when it has too many points", () => {
    expect(() => parsePath(`M0 0${"l1 1".repeat(30_000)}`)).not.toThrow();
    expect(() => parsePath(`M0 0${"c1 1 1 1 1 1".repeat(10_000)}`)).toThrow(PathError);
    expect(() => parsePath("M0 0".padEnd(300_000, "z"))).toThrow(PathError);
  });

  it("of any text is parsed or refused with a PathError", () => {
    const text = fc.string({ unit: fc.constantFrom(..."MmLlHhVvCcSsQqTtAaZz0123456789.-+e ,"), maxLength: 60 });
    fc.assert(
      fc.property(text, (data) => {
        try {
          for (const contour of parsePath(data)) expect(contour.points.every(Number.isFinite)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(PathError);
        }
      }),
    );
  });
});

describe("a stroke", () => {
  const style = { width: 10, cap: "butt", join: "miter", miterLimit: 4 } as const;
  const line = parsePath("M20 50H60");
  const corner = parsePath("M20 20H60V60");

  it("has the given width, and is longer by its caps", () => {
    expect(areaOf(strokePath(line, style))).toBeCloseTo(400);
    expect(areaOf(strokePath(line, { ...style, cap: "square" }))).toBeCloseTo(500);
    expect(areaOf(strokePath(line, { ...style, cap: "round" }))).toBeCloseTo(400 + Math.PI * 25, -1);
  });

  it("has miter, round and bevel joins", () => {
    const bare = 775; // two segments of 400, less the quarter that they share
    expect(areaOf(strokePath(corner, style))).toBeCloseTo(bare + 25);
    expect(areaOf(strokePath(corner, { ...style, join: "bevel" }))).toBeCloseTo(bare + 12.5);
    expect(areaOf(strokePath(corner, { ...style, join: "round" }))).toBeCloseTo(bare + (Math.PI * 25) / 4, 0);
    expect(areaOf(strokePath(corner, { ...style, miterLimit: 1 }))).toBeCloseTo(bare + 12.5);
  });

  it("closes a closed contour", () => {
    expect(areaOf(strokePath(parsePath("M20 20H60V60H20Z"), style))).toBeCloseTo(50 * 50 - 30 * 30);
  });

  it("is a dot at a single point only with round caps", () => {
    const dot = parsePath("M50 50h0");
    expect(areaOf(strokePath(dot, style))).toBe(0);
    expect(areaOf(strokePath(dot, { ...style, cap: "round" }))).toBeGreaterThan(70);
  });
});
