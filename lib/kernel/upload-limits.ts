/** The largest number that a part may have. */
export const MAX_PARTS = 10_000;
