import "server-only";
import { LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { DOCS_GROUPS, type DocsEntry, type DocsReaders } from "./list";
import { type DocsPage, docsPath, parsePage } from "./parse";
import { DOCS_PROGRAMS, DOCS_TEXTS } from "./texts";

/** A page with its place in the list of pages. */
export interface ListedPage extends DocsPage {
  summary: string;
}

/** The documentation as one reader sees it. */
export interface Documentation {
  groups: readonly { title: string; pages: readonly ListedPage[] }[];
  /** The listed pages in their order. */
  pages: readonly ListedPage[];
  /** Pages that others link to and no list names: the languages of a page, and programs. */
  unlisted: readonly DocsPage[];
}

/** The page that is served in the language of its reader. Its other languages are in the folder of its name. */
const TRANSLATED = "testers.md";
const EXAMPLES = "lib/features/client/examples";

const parsed = Object.fromEntries(Object.entries(DOCS_TEXTS).map(([file, text]) => [file, parsePage(file, text)]));

function pageOf(file: string): DocsPage {
  const page = parsed[file];
  if (!page) throw new Error(`${file} is not in DOCS_TEXTS`);
  return page;
}

/** The languages of the translated page, each at an address of its own. */
const translations: readonly DocsPage[] = LOCALES.map((language) => {
  const file = `testers/${language}.md`;
  return language === "en"
    ? { ...pageOf(TRANSLATED), path: docsPath(file) }
    : { ...pageOf(file), language, path: docsPath(file) };
});

const programs: readonly DocsPage[] = Object.entries(DOCS_PROGRAMS).map(([name, code]) => ({
  ...parsePage(`../${EXAMPLES}/${name}`, `# ${name}\n\n~~~~\n${code.trimEnd()}\n~~~~\n`),
  path: docsPath(`programs/${name}`),
}));

const unlisted = [...translations, ...programs];

function listed({ file, summary }: DocsEntry, locale: Locale): ListedPage {
  const page = pageOf(file);
  if (file !== TRANSLATED) return { ...page, summary };
  return { ...(translations[LOCALES.indexOf(locale)] as DocsPage), path: page.path, summary };
}

function documentationOf(readers: readonly DocsReaders[], locale: Locale): Documentation {
  const groups = DOCS_GROUPS.filter((group) => readers.includes(group.readers)).map(({ title, entries }) => ({
    title,
    pages: entries.map((entry) => listed(entry, locale)),
  }));
  return { groups, pages: groups.flatMap(({ pages }) => pages), unlisted };
}

const forEverybody = LOCALES.map((locale) => documentationOf(["everybody"], locale));
const forAdministrators = LOCALES.map((locale) => documentationOf(["everybody", "administrators"], locale));

/**
 * The documentation for a reader. What only administrators may read is not part of that for others.
 *
 * @param locale the reader's language
 */
export function documentationFor(locale: Locale, isAdmin: boolean): Documentation {
  return (isAdmin ? forAdministrators : forEverybody)[LOCALES.indexOf(locale)] as Documentation;
}

/** The page of the documentation at a path of the console, or null. */
export function findPage({ pages, unlisted }: Documentation, path: string): DocsPage | null {
  return [...pages, ...unlisted].find((page) => page.path === path) ?? null;
}

/** The languages to choose from for a page; none if it has one only. */
export function languagesOf({ file }: DocsPage): readonly DocsPage[] {
  return file === TRANSLATED || file.startsWith(`${TRANSLATED.replace(".md", "")}/`) ? translations : [];
}
