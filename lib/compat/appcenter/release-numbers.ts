import { parse } from "uuid";

// App Center's clients know releases by integers. A release that was published in another way has the number of its ID,
// which begins with the time: 48 bits of milliseconds, and 10 of the random bits that follow. It stays below 2^53 until 2109,
// and above the numbers of uploads.

const RANDOM_BITS = 10;
const VERSION_BYTE = 6;

/** The number of a release. @param id a UUID of version 7 */
export function numberOf(id: string): number {
  const bytes = parse(id);
  let time = 0;
  for (const byte of bytes.slice(0, VERSION_BYTE)) time = time * 256 + byte;
  // The 4 bits of the version come first, and 2 of the 12 random ones are left out.
  const random = (((bytes[VERSION_BYTE] as number) & 0x0f) << 6) | ((bytes[VERSION_BYTE + 1] as number) >> 2);
  return time * 2 ** RANDOM_BITS + random;
}

/** The time in a release's number; null for the number of an upload. */
export function timeOfNumber(number: number): Date | null {
  const time = Math.floor(number / 2 ** RANDOM_BITS);
  return time > Date.UTC(2020) ? new Date(time) : null;
}
