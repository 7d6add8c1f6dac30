/**
 * The paths of vector drawables: path data (SVG 1.1, 8.3, as parsed by Android's PathParser) flattened to polygons, and
 * the outlines of their strokes. Coordinates are those of the viewport.
 */

/** A polyline through the points x0, y0, x1, y1, …. */
export interface Contour {
  points: number[];
  closed: boolean;
}

/** A path that is malformed or has too many points. */
export class PathError extends Error {
  override readonly name = "PathError";
}

const MAX_PATH_LENGTH = 200_000;
const MAX_POINTS = 100_000;
/** The number of arguments of each command. */
const ARGUMENTS: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
/** The line segments per curve, which are enough for a curve across a whole icon. */
const CURVE_SEGMENTS = 24;

/**
 * Parses path data into flattened contours.
 * @throws PathError
 */
export function parsePath(data: string): Contour[] {
  if (data.length > MAX_PATH_LENGTH) throw new PathError("too long");
  const builder = new PathBuilder();
  const tokens = new PathTokens(data);
  for (let command = tokens.command(); command !== null; command = tokens.command()) {
    const count = ARGUMENTS[command.toLowerCase()];
    if (count === undefined) throw new PathError(`unknown command ${command}`);
    let current = command;
    do {
      builder.apply(current, tokens.numbers(count, current.toLowerCase() === "a"));
      // Further coordinates of a "move" are lines.
      if (current === "m") current = "l";
      if (current === "M") current = "L";
    } while (count > 0 && tokens.hasNumber());
  }
  return builder.contours.filter((contour) => contour.points.length >= 2);
}

class PathTokens {
  readonly #data: string;
  #at = 0;

  constructor(data: string) {
    this.#data = data;
  }

  command(): string | null {
    this.#skipSeparators();
    return this.#at < this.#data.length ? (this.#data[this.#at++] as string) : null;
  }

  hasNumber(): boolean {
    this.#skipSeparators();
    return /[-+.\d]/.test(this.#data[this.#at] ?? "");
  }

  /** The flags of an arc are single digits, which need no separator. */
  numbers(count: number, arc: boolean): number[] {
    return Array.from({ length: count }, (_, index) =>
      arc && (index === 3 || index === 4) ? this.#flag() : this.#number(),
    );
  }

  #flag(): number {
    this.#skipSeparators();
    const flag = this.#data[this.#at];
    if (flag === "0" || flag === "1") {
      this.#at++;
      return Number(flag);
    }
    return this.#number();
  }

  #number(): number {
    this.#skipSeparators();
    const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
    number.lastIndex = this.#at;
    const text = number.exec(this.#data)?.[0];
    const value = Number(text);
    if (text === undefined || !Number.isFinite(value)) throw new PathError("a number is missing");
    this.#at += text.length;
    return value;
  }

  #skipSeparators(): void {
    while (this.#at < this.#data.length && " ,\t\n\r\f".includes(this.#data[this.#at] as string)) this.#at++;
  }
}

interface ControlPoint {
  x: number;
  y: number;
  /** 2 for a quadratic curve, 3 for a cubic one. */
  degree: 2 | 3;
}

class PathBuilder {
  readonly contours: Contour[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** The last control point, if the last command was a curve. */
  #control: ControlPoint | null = null;
  #points = 0;

  apply(command: string, values: readonly number[]): void {
    const relative = command === command.toLowerCase();
    const dx = relative ? this.#x : 0;
    const dy = relative ? this.#y : 0;
    const at = (index: number): number => values[index] as number;
    const x = (index: number): number => at(index) + dx;
    const y = (index: number): number => at(index) + dy;
    let control: ControlPoint | null = null;
    switch (command.toLowerCase()) {
      case "m":
        this.#moveTo(x(0), y(1));
        break;
      case "l":
        this.#lineTo(x(0), y(1));
        break;
      case "h":
        this.#lineTo(x(0), this.#y);
        break;
      case "v":
        this.#lineTo(this.#x, y(0));
        break;
      case "c":
        control = { x: x(2), y: y(3), degree: 3 };
        this.#cubicTo(x(0), y(1), x(2), y(3), x(4), y(5));
        break;
      case "s": {
        const first = this.#reflected(3);
        control = { x: x(0), y: y(1), degree: 3 };
        this.#cubicTo(first.x, first.y, x(0), y(1), x(2), y(3));
        break;
      }
      case "q":
        control = { x: x(0), y: y(1), degree: 2 };
        this.#quadraticTo(x(0), y(1), x(2), y(3));
        break;
      case "t": {
        control = { ...this.#reflected(2), degree: 2 };
        this.#quadraticTo(control.x, control.y, x(0), y(1));
        break;
      }
      case "a":
        this.#arcTo(at(0), at(1), at(2), at(3) !== 0, at(4) !== 0, x(5), y(6));
        break;
      default:
        this.#close();
    }
    this.#control = control;
  }

  #reflected(degree: 2 | 3): { x: number; y: number } {
    const control = this.#control?.degree === degree ? this.#control : { x: this.#x, y: this.#y };
    return { x: 2 * this.#x - control.x, y: 2 * this.#y - control.y };
  }

  #moveTo(x: number, y: number): void {
    this.contours.push({ points: [], closed: false });
    this.#startX = x;
    this.#startY = y;
    this.#push(x, y);
  }

  #lineTo(x: number, y: number): void {
    const last = this.contours.at(-1);
    // At the start and after a "close", a new contour starts at the current point.
    if (!last || last.closed) this.#moveTo(this.#x, this.#y);
    this.#push(x, y);
  }

  #push(x: number, y: number): void {
    if (++this.#points > MAX_POINTS) throw new PathError("too many points");
    this.contours.at(-1)?.points.push(x, y);
    this.#x = x;
    this.#y = y;
  }

  #close(): void {
    const last = this.contours.at(-1);
    if (last) last.closed = true;
    this.#x = this.#startX;
    this.#y = this.#startY;
  }

  #quadraticTo(cx: number, cy: number, x: number, y: number): void {
    const x0 = this.#x;
    const y0 = this.#y;
    const ratio = 2 / 3;
    this.#cubicTo(x0 + ratio * (cx - x0), y0 + ratio * (cy - y0), x + ratio * (cx - x), y + ratio * (cy - y), x, y);
  }

  #cubicTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    const x0 = this.#x;
    const y0 = this.#y;
    for (let segment = 1; segment <= CURVE_SEGMENTS; segment++) {
      const t = segment / CURVE_SEGMENTS;
      const s = 1 - t;
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
      this.#lineTo(a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y);
    }
  }

  /** SVG 1.1, F.6.5: conversion from endpoint to center parameterization. */
  #arcTo(
    radiusX: number,
    radiusY: number,
    rotation: number,
    large: boolean,
    sweep: boolean,
    x: number,
    y: number,
  ): void {
    const x0 = this.#x;
    const y0 = this.#y;
    let rx = Math.abs(radiusX);
    let ry = Math.abs(radiusY);
    if (rx === 0 || ry === 0 || (x0 === x && y0 === y)) {
      this.#lineTo(x, y);
      return;
    }
    const cos = Math.cos((rotation * Math.PI) / 180);
    const sin = Math.sin((rotation * Math.PI) / 180);
    const halfX = (x0 - x) / 2;
    const halfY = (y0 - y) / 2;
    const px = cos * halfX + sin * halfY;
    const py = cos * halfY - sin * halfX;
    const scale = Math.hypot(px / rx, py / ry);
    if (scale > 1) {
      rx *= scale;
      ry *= scale;
    }
    const squares = (rx * py) ** 2 + (ry * px) ** 2;
    const root = Math.sqrt(Math.max(0, ((rx * ry) ** 2 - squares) / squares)) * (large === sweep ? -1 : 1);
    const cx = (root * rx * py) / ry;
    const cy = (-root * ry * px) / rx;
    const start = Math.atan2((py - cy) / ry, (px - cx) / rx);
    let extent = Math.atan2((-py - cy) / ry, (-px - cx) / rx) - start;
    if (sweep && extent < 0) extent += 2 * Math.PI;
    if (!sweep && extent > 0) extent -= 2 * Math.PI;
    const segments = Math.max(2, Math.ceil((Math.abs(extent) / (2 * Math.PI)) * 3 * CURVE_SEGMENTS));
    for (let segment = 1; segment < segments; segment++) {
      const angle = start + (extent * segment) / segments;
      const ex = rx * Math.cos(angle) + cx;
      const ey = ry * Math.sin(angle) + cy;
      this.#lineTo(cos * ex - sin * ey + (x0 + x) / 2, sin * ex + cos * ey + (y0 + y) / 2);
    }
    this.#lineTo(x, y);
  }
}

export interface StrokeStyle {
  width: number;
  cap: "butt" | "round" | "square";
  join: "miter" | "round" | "bevel";
  miterLimit: number;
}

/**
 * The outline of the stroke along contours, as polygons to be filled by the non-zero rule.
 * @throws PathError when it has too many points
 */
export function strokePath(contours: readonly Contour[], style: StrokeStyle): Contour[] {
  const outline = new StrokeOutline(style);
  for (const { points, closed } of contours) outline.add(withoutConsecutiveDuplicates(points, closed), closed);
  return outline.polygons;
}

function withoutConsecutiveDuplicates(points: readonly number[], closed: boolean): number[] {
  const kept: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    if (x !== kept.at(-2) || y !== kept.at(-1)) kept.push(x, y);
  }
  while (closed && kept.length > 2 && kept[0] === kept.at(-2) && kept[1] === kept.at(-1)) kept.splice(-2);
  return kept;
}

class StrokeOutline {
  readonly polygons: Contour[] = [];
  readonly #style: StrokeStyle;
  readonly #radius: number;
  #points = 0;

  constructor(style: StrokeStyle) {
    this.#style = style;
    this.#radius = style.width / 2;
  }

  add(points: readonly number[], closed: boolean): void {
    const count = points.length / 2;
    const x = (index: number): number => points[2 * (index % count)] as number;
    const y = (index: number): number => points[2 * (index % count) + 1] as number;
    if (count === 1) {
      if (this.#style.cap === "round") this.#disc(x(0), y(0));
      return;
    }
    const segments = closed ? count : count - 1;
    for (let index = 0; index < segments; index++) {
      const isFirst = !closed && index === 0;
      const isLast = !closed && index === segments - 1;
      this.#segment(x(index), y(index), x(index + 1), y(index + 1), isFirst, isLast);
      if (!isLast) this.#joint(x(index), y(index), x(index + 1), y(index + 1), x(index + 2), y(index + 2));
    }
    if (closed || this.#style.cap !== "round") return;
    this.#disc(x(0), y(0));
    this.#disc(x(count - 1), y(count - 1));
  }

  #segment(x0: number, y0: number, x1: number, y1: number, isFirst: boolean, isLast: boolean): void {
    const length = Math.hypot(x1 - x0, y1 - y0);
    const dx = ((x1 - x0) / length) * this.#radius;
    const dy = ((y1 - y0) / length) * this.#radius;
    const square = this.#style.cap === "square";
    const [ax, ay] = isFirst && square ? [x0 - dx, y0 - dy] : [x0, y0];
    const [bx, by] = isLast && square ? [x1 + dx, y1 + dy] : [x1, y1];
    this.#polygon([ax - dy, ay + dx, bx - dy, by + dx, bx + dy, by - dx, ax + dy, ay - dx]);
  }

  #joint(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
    if (this.#style.join === "round") {
      this.#disc(x1, y1);
      return;
    }
    const r = this.#radius;
    const before = Math.atan2(y1 - y0, x1 - x0);
    const after = Math.atan2(y2 - y1, x2 - x1);
    const turn = Math.atan2(Math.sin(after - before), Math.cos(after - before));
    if (Math.abs(turn) < 1e-6) return;
    // The gap is on the outer side of the turn.
    const side = turn > 0 ? -1 : 1;
    const corner = (angle: number): [number, number] => [
      x1 - side * r * Math.sin(angle),
      y1 + side * r * Math.cos(angle),
    ];
    const [ax, ay] = corner(before);
    const [bx, by] = corner(after);
    const miter = 1 / Math.max(1e-9, Math.cos(turn / 2));
    if (this.#style.join === "miter" && miter <= this.#style.miterLimit) {
      const middle = before + turn / 2;
      this.#polygon([
        x1,
        y1,
        ax,
        ay,
        x1 - side * r * miter * Math.sin(middle),
        y1 + side * r * miter * Math.cos(middle),
        bx,
        by,
      ]);
    } else this.#polygon([x1, y1, ax, ay, bx, by]);
  }

  #disc(x: number, y: number): void {
    const points: number[] = [];
    for (let step = 0; step < 16; step++) {
      const angle = (step * Math.PI) / 8;
      points.push(x + this.#radius * Math.cos(angle), y + this.#radius * Math.sin(angle));
    }
    this.#polygon(points);
  }

  /** Adds a convex polygon, reversed if necessary so that all have the same winding direction. */
  #polygon(points: number[]): void {
    this.#points += points.length / 2;
    if (this.#points > 4 * MAX_POINTS) throw new PathError("too many points");
    let area = 0;
    for (let at = 0; at < points.length; at += 2) {
      const next = (at + 2) % points.length;
      area +=
        (points[at] as number) * (points[next + 1] as number) - (points[next] as number) * (points[at + 1] as number);
    }
    const reversed: number[] = [];
    if (area < 0)
      for (let at = points.length - 2; at >= 0; at -= 2) reversed.push(points[at] as number, points[at + 1] as number);
    this.polygons.push({ points: area < 0 ? reversed : points, closed: true });
  }
}
