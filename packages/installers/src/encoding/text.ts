/** No text of an installer that we keep is longer than this, in UTF-16 units. */
export const MAX_TEXT = 255;

/**
 * Text from a hostile file, fit to be stored and shown on one line: well-formed, without control, direction and
 * line-breaking characters, trimmed, and not longer than `limit` UTF-16 units.
 */
export function plainText(value: string, limit = MAX_TEXT): string {
  const clean = value
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, "")
    .trim();
  return clean.length > limit ? `${clean.slice(0, limit - 1).toWellFormed()}…` : clean;
}
