import { normalizeText } from "./normalize-text";

/** More words than a search needs; further ones are ignored. */
const MAX_WORDS = 8;

/** A word of at least this many characters may have one wrong, missing or additional character. */
const MIN_FUZZY = 4;

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

/**
 * How well a text matches the words of a search: 3 for each word at the beginning of one of the text's words, 2 elsewhere
 * in it, 1 with one typing mistake.
 * @param words as `searchWords` returns them
 * @returns the sum; null if a word does not match
 */
export function scoreOf(text: string, words: readonly string[]): number | null {
  const parts = normalizeText(text)
    .split(/[^\p{L}\p{N}.@_-]+/u)
    .filter((part) => part !== "");
  let sum = 0;
  for (const word of words) {
    const score = Math.max(0, ...parts.map((part) => scoreOfWord(part, word)));
    if (score === 0) return null;
    sum += score;
  }
  return sum;
}

function scoreOfWord(part: string, word: string): number {
  if (part.startsWith(word)) return 3;
  if (part.includes(word)) return 2;
  return word.length >= MIN_FUZZY && isOneEditAway(part, word) ? 1 : 0;
}

/** Whether one replaced, missing or additional character, or two swapped ones, lead from a word to the beginning of a text. */
function isOneEditAway(text: string, word: string): boolean {
  let same = 0;
  while (same < word.length && text[same] === word[same]) same += 1;
  const rest = word.slice(same + 1);
  const [next, afterNext] = [text[same] ?? "", text[same + 1] ?? ""];
  const isReplaced = text.startsWith(rest, same + 1);
  const isAdditional = text.startsWith(rest, same);
  const isMissing = text.startsWith(word.slice(same), same + 1);
  const isSwapped =
    word[same] === afterNext && word[same + 1] === next && text.startsWith(word.slice(same + 2), same + 2);
  // Without its first letter, a word has too little in common with another.
  return same > 0 && (isReplaced || isAdditional || isMissing || isSwapped);
}
