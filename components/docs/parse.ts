import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import type { Locale } from "@/lib/kernel/i18n/locales";
import { PAGES } from "@/lib/kernel/navigation/pages";

/** A heading and the text below it, up to the next heading. */
interface DocsSection {
  /** The fragment of the heading's address, as GitHub derives it. */
  anchor: string;
  title: string;
  /** 1 to 6. */
  level: number;
  /** Plain text, for the search. */
  text: string;
}

/** A page of the documentation. */
export interface DocsPage {
  /** Relative to `docs/`. */
  file: string;
  /** The path in the console. */
  path: string;
  language: Locale;
  title: string;
  /** The page as tokens of markdown-it; each heading has its `id`. */
  tokens: readonly Token[];
  /** The first one is the page itself. */
  sections: readonly DocsSection[];
}

const markdown = new MarkdownIt({ html: false });
// A line break in a cell of a table, which Markdown has no other way to write.
markdown.inline.ruler.before("html_inline", "br", (state, silent) => {
  if (!state.src.startsWith("<br>", state.pos)) return false;
  if (!silent) state.push("hardbreak", "br", 0);
  state.pos += "<br>".length;
  return true;
});

/** Returns the path of the page that shows a file of `docs/`. */
export function docsPath(file: string): string {
  return `${PAGES.docs}/${file.replace(/(\/README)?\.md$/, "")}`;
}

/** The text of an inline token without its formatting. */
export function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type.endsWith("break") ? " " : content))
    .join("")
    .trim();
}

/** The fragment of a heading as GitHub derives it: lower case, hyphens for spaces, no punctuation. */
function anchorOf(title: string, taken: ReadonlySet<string>): string {
  const anchor = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
  let suffix = 0;
  while (taken.has(suffix === 0 ? anchor : `${anchor}-${suffix}`)) suffix += 1;
  return suffix === 0 ? anchor : `${anchor}-${suffix}`;
}

/**
 * Parses a file of `docs/`.
 *
 * @param file relative to `docs/`
 * @param text in Markdown; comments of HTML are left out
 */
export function parsePage(file: string, text: string): DocsPage {
  const tokens = markdown.parse(text.replace(/<!--[\s\S]*?-->/g, ""), {});
  const sections: DocsSection[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const title = plainText(tokens[index + 1]);
      const anchor = anchorOf(title, new Set(sections.map((section) => section.anchor)));
      token.attrSet("id", anchor);
      sections.push({ anchor, title, level: Number(token.tag.slice(1)), text: "" });
    } else if (tokens[index - 1]?.type !== "heading_open") {
      const section = sections.at(-1);
      const content = token.type === "inline" ? plainText(token) : token.content;
      if (section && content) section.text += `${content} `;
    }
  }
  return { file, path: docsPath(file), language: "en", title: sections[0]?.title ?? file, tokens, sections };
}

/**
 * Where a link of a page leads: an address, or null for a file that the console does not serve to the reader.
 *
 * @param file the page's file, relative to `docs/`
 * @param pages the pages that the reader may see
 */
export function linkTarget(href: string, file: string, pages: readonly DocsPage[]): string | null {
  if (/^[a-z]+:/.test(href) || href.startsWith("#")) return href;
  const [path = "", fragment] = href.split("#");
  const linked = posix.normalize(posix.join(posix.dirname(file), path));
  const page = pages.find((one) => one.file === linked);
  return page ? `${page.path}${fragment ? `#${fragment}` : ""}` : null;
}

/** A section that a search found. */
interface DocsResult {
  page: DocsPage;
  section: DocsSection;
  /** The text around the first word that was found. */
  excerpt: string;
}

const EXCERPT_BEFORE = 60;
const EXCERPT_LENGTH = 180;

/** The whole words of a text around a place, with an ellipsis on each side where the text goes on. */
function excerptAt(text: string, found: number): string {
  const from = found <= EXCERPT_BEFORE ? 0 : text.indexOf(" ", found - EXCERPT_BEFORE - 1) + 1;
  // A word that begins before the excerpt and contains the place.
  const start = Math.min(from, found);
  const end = start + EXCERPT_LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + EXCERPT_LENGTH);
  const excerpt = text.slice(start, end > start ? end : start + EXCERPT_LENGTH);
  return `${start > 0 ? "…" : ""}${excerpt}${start + excerpt.length < text.length ? "…" : ""}`;
}

/**
 * Finds the sections that contain each word of a query, in any order and case. Pages with all words in their title come first, then
 * sections with all words in theirs.
 */
export function searchDocs(query: string, pages: readonly DocsPage[]): DocsResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  const results = pages.flatMap((page) =>
    page.sections.flatMap((section) => {
      const whole = section.text.replace(/\s+/g, " ").trim();
      const text = whole.toLowerCase();
      const title = section.title.toLowerCase();
      if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
      const found = Math.max(0, text.indexOf(words.find((word) => text.includes(word)) ?? ""));
      const inTitle = words.every((word) => title.includes(word));
      const rank = !inTitle ? 2 : section === page.sections[0] ? 0 : 1;
      return [{ page, section, excerpt: excerptAt(whole, found), rank }];
    }),
  );
  return results.toSorted((one, other) => one.rank - other.rank);
}
