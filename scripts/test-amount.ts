/** Whether `npm run test:slow` runs, which has all of what `npm test` takes a part of. */
export const IS_WHOLE = process.env.SLIPWAY_TESTS === "slow";

/**
 * Returns how many rows a test of costs adds: in `npm run test:slow` all, in `npm test` a quarter, which is enough to tell a plan
 * that reads all rows from one that reads an index.
 */
export function rowsOf(whole: number): number {
  return IS_WHOLE ? whole : whole / 4;
}

/**
 * Returns what a test uses of many of the same kind: in `npm run test:slow` all, in `npm test` some, other ones for each turn.
 *
 * @param turn the number of the test among those like it
 * @param count how many at most
 */
export function someOf<T>(all: readonly T[], turn: number, count: number): readonly T[] {
  if (IS_WHOLE || count >= all.length) return all;
  return Array.from({ length: count }, (_, index) => all[(turn * count + index) % all.length] as T);
}
