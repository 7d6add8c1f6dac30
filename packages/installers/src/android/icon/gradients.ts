import type { Color, Matrix, Paint } from "./canvas";

/** A colour of a gradient. */
export interface Stop {
  /** From 0 to 1. */
  offset: number;
  color: Color;
}

type TileMode = "clamp" | "repeat" | "mirror";

/** The colour of a gradient at `position`, from 0 to 1. */
function colorAt(stops: readonly Stop[], tile: TileMode, position: number): Color {
  let at = position;
  if (tile === "repeat") at -= Math.floor(at);
  else if (tile === "mirror") at = Math.abs(at - 2 * Math.round(at / 2));
  const nextIndex = stops.findIndex((stop) => stop.offset >= at);
  const next = stops[nextIndex] ?? (stops.at(-1) as Stop);
  const previous = stops[Math.max(0, nextIndex - 1)] as Stop;
  if (nextIndex <= 0 || next.offset === previous.offset) return next.color;
  const share = (at - previous.offset) / (next.offset - previous.offset);
  const mix = (a: number, b: number): number => a + (b - a) * share;
  return {
    red: mix(previous.color.red, next.color.red),
    green: mix(previous.color.green, next.color.green),
    blue: mix(previous.color.blue, next.color.blue),
    alpha: mix(previous.color.alpha, next.color.alpha),
  };
}

/**
 * A paint that looks up the colour at the position of each pixel.
 * @param toGradient the transformation from device pixels to the coordinates of the gradient
 * @param position the position in the gradient, from 0 to 1, of a point in its coordinates
 */
function gradientPaint(
  stops: readonly Stop[],
  tile: TileMode,
  toGradient: Matrix,
  position: (x: number, y: number) => number,
): Paint {
  return (x, y) => {
    const at = position(
      toGradient.a * x + toGradient.c * y + toGradient.e,
      toGradient.b * x + toGradient.d * y + toGradient.f,
    );
    return colorAt(stops, tile, Number.isFinite(at) ? at : 1);
  };
}

/** A gradient along a line. */
export function linearPaint(
  stops: readonly Stop[],
  tile: TileMode,
  toGradient: Matrix,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): Paint {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  return gradientPaint(stops, tile, toGradient, (x, y) => ((x - x0) * dx + (y - y0) * dy) / square);
}

/** A gradient around a point. */
export function radialPaint(
  stops: readonly Stop[],
  tile: TileMode,
  toGradient: Matrix,
  centerX: number,
  centerY: number,
  radius: number,
): Paint {
  return gradientPaint(stops, tile, toGradient, (x, y) => Math.hypot(x - centerX, y - centerY) / radius);
}

/** A gradient by the angle around a point. */
export function sweepPaint(stops: readonly Stop[], toGradient: Matrix, centerX: number, centerY: number): Paint {
  return gradientPaint(stops, "clamp", toGradient, (x, y) => {
    const turn = Math.atan2(y - centerY, x - centerX) / (2 * Math.PI);
    return turn < 0 ? turn + 1 : turn;
  });
}
