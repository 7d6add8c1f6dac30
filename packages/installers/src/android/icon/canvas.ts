import type { Contour } from "./path";

/** A colour with components from 0 to 1, not premultiplied. */
export interface Color {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

/** A colour, or a function from device pixels to colours. */
export type Paint = Color | ((x: number, y: number) => Color);

/** The share of each pixel that an area covers, from 0 to 1, in rows. */
export type Coverage = Float32Array;

/** An affine transformation: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** A rectangle, in device pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Rows of 8-bit RGBA, not premultiplied. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** A drawing that exceeds its budget. */
export class DrawingBudgetError extends Error {
  override readonly name = "DrawingBudgetError";
}

/** Sample rows per row of pixels; along a sample row, the coverage is exact. */
const SAMPLE_ROWS = 8;
/** The cost of all drawing for one app, in units of about 10 ns. An icon with a hundred paths costs 2 % of it. */
const MAX_WORK = 100_000_000;
/** The crossings of edges and sample rows in one area, all of which are held in memory. */
const MAX_CROSSINGS = 500_000;
const WORK = { pixel: 1 / 8, crossing: 25, gradientPixel: 15, sample: 4 } as const;

/** Limits the cost of drawing a hostile icon. */
export class DrawingBudget {
  /** Images that were converted. */
  conversions = 0;
  #spent = 0;

  /** @throws DrawingBudgetError when the budget is used up */
  spend(work: number): void {
    this.#spent += work;
    if (!(this.#spent <= MAX_WORK)) throw new DrawingBudgetError();
  }
}

/** The transformation that applies `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e: outer.a * inner.e + outer.c * inner.f + outer.e,
    f: outer.b * inner.e + outer.d * inner.f + outer.f,
  };
}

/** The inverse transformation; null when there is none. */
export function inverse({ a, b, c, d, e, f }: Matrix): Matrix | null {
  const determinant = a * d - b * c;
  if (determinant === 0 || !Number.isFinite(determinant)) return null;
  return {
    a: d / determinant,
    b: -b / determinant,
    c: -c / determinant,
    d: a / determinant,
    e: (c * f - d * e) / determinant,
    f: (b * e - a * f) / determinant,
  };
}

/** A square canvas. */
export class Canvas {
  readonly size: number;
  readonly #budget: DrawingBudget;
  /** Premultiplied RGBA, from 0 to 1. */
  readonly #pixels: Float32Array;

  constructor(size: number, budget: DrawingBudget) {
    this.size = size;
    this.#budget = budget;
    this.#pixels = new Float32Array(4 * size * size);
  }

  /**
   * The coverage of the area inside contours.
   * @throws DrawingBudgetError
   */
  coverage(contours: readonly Contour[], matrix: Matrix, rule: "nonzero" | "evenodd"): Coverage {
    const { size } = this;
    const rows = Array.from({ length: size * SAMPLE_ROWS }, (): [x: number, winding: number][] => []);
    this.#budget.spend(size * size * WORK.pixel);
    let crossings = 0;
    const edge = (x0: number, y0: number, x1: number, y1: number): void => {
      if (!Number.isFinite(x0 + y0 + x1 + y1) || y0 === y1) return;
      const winding = y1 > y0 ? 1 : -1;
      const top = Math.min(y0, y1) * SAMPLE_ROWS - 0.5;
      const bottom = Math.max(y0, y1) * SAMPLE_ROWS - 0.5;
      const first = Math.max(0, Math.ceil(top));
      const last = Math.min(rows.length - 1, Math.ceil(bottom) - 1);
      const rowsCrossed = Math.max(0, last - first + 1);
      crossings += rowsCrossed;
      if (crossings > MAX_CROSSINGS) throw new DrawingBudgetError();
      this.#budget.spend(1 + rowsCrossed * WORK.crossing);
      for (let row = first; row <= last; row++) {
        const y = (row + 0.5) / SAMPLE_ROWS;
        rows[row]?.push([x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), winding]);
      }
    };
    for (const { points } of contours) {
      const x = (at: number): number =>
        matrix.a * (points[at] as number) + matrix.c * (points[at + 1] as number) + matrix.e;
      const y = (at: number): number =>
        matrix.b * (points[at] as number) + matrix.d * (points[at + 1] as number) + matrix.f;
      for (let at = 0; at < points.length; at += 2) {
        const next = (at + 2) % points.length;
        edge(x(at), y(at), x(next), y(next));
      }
    }
    const covered = new Float32Array(size * size);
    for (const [row, found] of rows.entries()) {
      if (found.length > 0) addSampleRow(covered, Math.floor(row / SAMPLE_ROWS) * size, size, found, rule);
    }
    return covered;
  }

  /**
   * Paints the area of `coverage`, multiplied by `clip`.
   * @throws DrawingBudgetError
   */
  paint(coverage: Coverage, paint: Paint, clip: Coverage | null): void {
    this.#budget.spend(coverage.length * WORK.pixel);
    for (let index = 0; index < coverage.length; index++) {
      const amount = Math.min(1, coverage[index] as number) * (clip ? (clip[index] as number) : 1);
      if (amount <= 0) continue;
      const color =
        typeof paint === "function" ? paint((index % this.size) + 0.5, Math.floor(index / this.size) + 0.5) : paint;
      this.#blend(4 * index, color, amount);
    }
  }

  /**
   * Draws an image into a box; each pixel is the mean of the area of the image that it covers.
   * @throws DrawingBudgetError
   */
  drawImage(image: Pixels, box: Box): void {
    if (!(box.width > 0 && box.height > 0)) return;
    const { size } = this;
    const stepX = image.width / box.width;
    const stepY = image.height / box.height;
    const bounds = (start: number, length: number): [number, number] => [
      Math.max(0, Math.floor(start)),
      Math.min(size, Math.ceil(start + length)),
    ];
    const [left, right] = bounds(box.x, box.width);
    const [top, bottom] = bounds(box.y, box.height);
    const samples = Math.min(MAX_SAMPLES, Math.ceil(stepX)) * Math.min(MAX_SAMPLES, Math.ceil(stepY));
    this.#budget.spend(Math.max(0, right - left) * Math.max(0, bottom - top) * samples * WORK.sample);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const color = meanColor(image, (x + 0.5 - box.x) * stepX, (y + 0.5 - box.y) * stepY, stepX, stepY);
        this.#blend(4 * (y * size + x), color, 1);
      }
    }
  }

  /**
   * Draws another canvas of the same size over this one, turned clockwise around a point.
   * @throws DrawingBudgetError
   */
  drawRotated(other: Canvas, radians: number, center: { x: number; y: number }): void {
    const { size } = this;
    this.#budget.spend(size * size * WORK.sample);
    const image = other.toPixels();
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
    for (let at = 0; at < size * size; at += 1) {
      const [dx, dy] = [(at % size) + 0.5 - center.x, Math.floor(at / size) + 0.5 - center.y];
      const x = center.x + cos * dx + sin * dy;
      const y = center.y - sin * dx + cos * dy;
      if (x >= 0 && y >= 0 && x < size && y < size) this.#blend(4 * at, meanColor(image, x, y, 1, 1), 1);
    }
  }

  /** Applies a tint (PorterDuff SRC_IN): the colour, with its alpha multiplied by that of the drawing. */
  tint({ red, green, blue, alpha }: Color): void {
    for (let at = 0; at < this.#pixels.length; at += 4) {
      const amount = (this.#pixels[at + 3] as number) * alpha;
      this.#pixels.set([red * amount, green * amount, blue * amount, amount], at);
    }
  }

  /** Draws another canvas of the same size over this one. */
  drawCanvas(other: Canvas, alpha: number): void {
    for (let at = 0; at < this.#pixels.length; at += 4) {
      const rest = 1 - (other.#pixels[at + 3] as number) * alpha;
      for (let part = at; part < at + 4; part++) {
        this.#pixels[part] = (this.#pixels[part] as number) * rest + (other.#pixels[part] as number) * alpha;
      }
    }
  }

  /** Whether nothing visible has been drawn. */
  isEmpty(): boolean {
    for (let at = 3; at < this.#pixels.length; at += 4) if ((this.#pixels[at] as number) > 1 / 255) return false;
    return true;
  }

  /** The pixels in 8-bit RGBA, not premultiplied. */
  toPixels(): Pixels {
    const rgba = new Uint8Array(this.#pixels.length);
    for (let at = 0; at < rgba.length; at += 4) {
      const alpha = this.#pixels[at + 3] as number;
      if (alpha <= 0) continue;
      for (let part = at; part < at + 3; part++) {
        rgba[part] = Math.round(255 * Math.min(1, (this.#pixels[part] as number) / alpha));
      }
      rgba[at + 3] = Math.round(255 * Math.min(1, alpha));
    }
    return { width: this.size, height: this.size, rgba };
  }

  #blend(at: number, { red, green, blue, alpha }: Color, amount: number): void {
    const source = alpha * amount;
    const rest = 1 - source;
    this.#pixels[at] = (this.#pixels[at] as number) * rest + red * source;
    this.#pixels[at + 1] = (this.#pixels[at + 1] as number) * rest + green * source;
    this.#pixels[at + 2] = (this.#pixels[at + 2] as number) * rest + blue * source;
    this.#pixels[at + 3] = (this.#pixels[at + 3] as number) * rest + source;
  }
}

/** Adds the coverage of one sample row: the spans between crossings that are inside by the fill rule. */
function addSampleRow(
  covered: Coverage,
  start: number,
  size: number,
  crossings: [x: number, winding: number][],
  rule: "nonzero" | "evenodd",
): void {
  crossings.sort((a, b) => a[0] - b[0]);
  let winding = 0;
  for (const [index, [x, direction]] of crossings.entries()) {
    winding += direction;
    const next = crossings[index + 1];
    const inside = rule === "nonzero" ? winding !== 0 : (winding & 1) !== 0;
    if (!next || !inside) continue;
    const from = Math.min(size, Math.max(0, x));
    const to = Math.min(size, Math.max(0, next[0]));
    for (let pixel = Math.floor(from); pixel < to; pixel++) {
      const length = Math.min(pixel + 1, to) - Math.max(pixel, from);
      covered[start + pixel] = (covered[start + pixel] as number) + length / SAMPLE_ROWS;
    }
  }
}

/** The maximum number of samples per pixel and direction. */
const MAX_SAMPLES = 16;

/** The mean colour of an area of an image around (x, y), from bilinear samples. */
function meanColor(image: Pixels, x: number, y: number, width: number, height: number): Color {
  const columns = Math.max(1, Math.min(MAX_SAMPLES, Math.ceil(width)));
  const lines = Math.max(1, Math.min(MAX_SAMPLES, Math.ceil(height)));
  const sum = [0, 0, 0, 0] as [number, number, number, number];
  for (let line = 0; line < lines; line++) {
    for (let column = 0; column < columns; column++) {
      addBilinear(
        image,
        x + ((column + 0.5) / columns - 0.5) * width - 0.5,
        y + ((line + 0.5) / lines - 0.5) * height - 0.5,
        sum,
      );
    }
  }
  const alpha = sum[3];
  if (alpha === 0) return { red: 0, green: 0, blue: 0, alpha: 0 };
  return { red: sum[0] / alpha, green: sum[1] / alpha, blue: sum[2] / alpha, alpha: alpha / (columns * lines) };
}

function addBilinear(image: Pixels, x: number, y: number, sum: [number, number, number, number]): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  for (let corner = 0; corner < 4; corner++) {
    const px = left + (corner & 1);
    const py = top + (corner >> 1);
    const weight = (1 - Math.abs(x - px)) * (1 - Math.abs(y - py));
    const column = Math.min(image.width - 1, Math.max(0, px));
    const line = Math.min(image.height - 1, Math.max(0, py));
    const at = 4 * (line * image.width + column);
    const alpha = ((image.rgba[at + 3] as number) / 255) * weight;
    for (let part = 0; part < 3; part++) sum[part as 0] += ((image.rgba[at + part] as number) / 255) * alpha;
    sum[3] += alpha;
  }
}
