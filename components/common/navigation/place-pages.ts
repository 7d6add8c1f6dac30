import { normalizeText } from "@/lib/kernel/normalize-text";

/** The shortest beginning of a word of a page's label that stands for it. */
const MIN_PREFIX = 3;

/**
 * Divides a search such as "staging variables" into the pages that it names and the words that name the place.
 * @param labels the labels of the pages that an environment has, in the user's language
 * @returns the pages whose labels contain all words that some label contains; none if no word does
 */
export function pagesInSearch<Page extends string>(
  search: string,
  labels: Readonly<Record<Page, string>>,
): { pages: Page[]; place: string } {
  const pages = Object.keys(labels) as Page[];
  const names = (page: Page, word: string) =>
    word.length >= MIN_PREFIX &&
    normalizeText(labels[page])
      .split(/\s+/)
      .some((part) => part.startsWith(normalizeText(word)));
  const words = search.split(/\s+/);
  const ofPages = words.filter((word) => pages.some((page) => names(page, word)));
  return {
    pages: ofPages.length === 0 ? [] : pages.filter((page) => ofPages.every((word) => names(page, word))),
    place: words.filter((word) => !ofPages.includes(word)).join(" "),
  };
}
