import { MAX_TEXT_LENGTH } from "../limits";

/** A text is cut off before its characters are replaced, at this multiple of the limit, which bounds the cost. */
const MAX_REMOVED_RATIO = 16;

/** A text of which nothing is seen: format characters such as U+200B, white space, and letters that are blank. */
const INVISIBLE = /^[\p{Cf}\p{Zs}\p{Mn}\u115F\u1160\u2800\u3164\uFFA0]*$/u;

/**
 * Makes text from a hostile file safe to store and to show on one line: well-formed, trimmed, without control,
 * bidirectional and line-breaking characters.
 * @param limit UTF-16 code units, beyond which the text is cut off and ends in an ellipsis
 */
export function plainText(value: string, limit = MAX_TEXT_LENGTH): string {
  const clean = value
    .slice(0, limit * MAX_REMOVED_RATIO)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, "")
    .trim();
  if (INVISIBLE.test(clean)) return "";
  return clean.length > limit ? `${clean.slice(0, limit - 1).toWellFormed()}…` : clean;
}
