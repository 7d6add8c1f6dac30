import { normalizeText } from "./normalize-text";

/** More words than a search needs; further ones are ignored. */
const MAX_WORDS = 8;

/** The words of a search, without case and accents. */
export function searchWords(search: string): string[] {
  return normalizeText(search)
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
}
