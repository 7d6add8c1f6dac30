/** A range of bytes: from the first number up to, not with, the second. */
export type ByteRange = readonly [start: number, end: number];

/** Pieces that are kept of one file. A client that asks for more of them, far apart, loses the smallest. */
export const MAX_RANGES = 256;

/**
 * Adds a range to others. Those that overlap or touch become one, so that repeated bytes count once.
 * @param ranges in their order, apart from each other
 */
export function addRange(ranges: readonly ByteRange[], [start, end]: ByteRange): ByteRange[] {
  if (end <= start) return [...ranges];
  const before = ranges.filter(([, last]) => last < start);
  const after = ranges.filter(([first]) => first > end);
  const touched = ranges.slice(before.length, ranges.length - after.length);
  const from = Math.min(start, ...touched.map(([first]) => first));
  const to = Math.max(end, ...touched.map(([, last]) => last));
  return [...before, [from, to], ...after];
}

/** The ranges that are in one of two lists, at most `MAX_RANGES` of them. */
export function union(ranges: readonly ByteRange[], others: readonly ByteRange[]): ByteRange[] {
  const all = others.reduce<readonly ByteRange[]>(addRange, ranges);
  if (all.length <= MAX_RANGES) return [...all];
  const largest = [...all].sort(([a, b], [c, d]) => d - c - (b - a) || a - c).slice(0, MAX_RANGES);
  return largest.sort(([a], [b]) => a - b);
}

/** Whether ranges cover a file of some size. */
export function coversAll(ranges: readonly ByteRange[], size: number): boolean {
  const [first] = ranges;
  return first !== undefined && first[0] === 0 && first[1] >= size;
}
