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

/** Whether all words of a search are part of a text, without regard to case and accents. */
export function matchesWords(text: string, search: string): boolean {
  const normalized = normalizeText(text);
  return searchWords(search).every((word) => normalized.includes(word));
}
