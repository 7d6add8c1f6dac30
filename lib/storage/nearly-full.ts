const GIB = 1024 ** 3;
/** The room that a disk should have for new files, as a share of the files that it stores, and in bytes. */
const MIN_FREE_SHARE = 0.1;
const MIN_FREE_BYTES = GIB;

/**
 * Whether a disk will soon be full.
 *
 * @param freeBytes what uploads may still use
 */
export function isNearlyFull({ usedBytes, freeBytes }: { usedBytes: number; freeBytes: number }): boolean {
  return freeBytes < Math.max(MIN_FREE_BYTES, usedBytes * MIN_FREE_SHARE);
}
