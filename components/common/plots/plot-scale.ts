/** The steps between two lines of a plot, as multiples of a power of ten. */
const STEPS = [1, 2, 5, 10];
/** The number of lines above zero that a plot has at most. */
const MAX_LINES = 4;

/**
 * The values at which a plot of counts has a line: from 0 in equal whole steps to the first one that is not below the
 * highest count. A plot of nothing has one line.
 */
export function plotLines(highest: number): number[] {
  if (highest <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(highest / MAX_LINES));
  const step = Math.max(1, (STEPS.find((factor) => factor * power * MAX_LINES >= highest) ?? 10) * power);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}
