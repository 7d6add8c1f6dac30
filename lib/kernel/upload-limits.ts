/** The maximum number of parts of an upload. */
export const MAX_PARTS = 10_000;
