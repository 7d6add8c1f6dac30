import { ArrowLeft, Search } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PublicHeader } from "@/components/common/shell/public-header";
import type { ShellBrand } from "@/components/common/shell/types";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { LOCALE_NAMES, type Locale } from "@/lib/kernel/i18n/locales";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { DocsContent } from "./docs-content";
import { type Documentation, languagesOf } from "./pages";
import { type DocsPage, searchDocs } from "./parse";

export type DocsViewProps = {
  brand: ShellBrand;
  docs: Documentation;
  page: DocsPage | null;
  query: string;
  /** Where a signed-in reader came from. */
  home: string | null;
};

/** The documentation: a page, what a search found, or the list of pages. */
export function DocsView({ brand, docs, page, query, home }: DocsViewProps) {
  const t = useTranslations("docs");
  const languages = page ? languagesOf(page) : [];
  return (
    <>
      <PublicHeader brand={brand} />
      <main className="mx-auto grid w-full max-w-6xl items-start gap-x-10 gap-y-6 px-4 py-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:py-10">
        <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto">
          {home && (
            <a
              href={home}
              className="inline-flex min-h-11 w-fit items-center gap-1.5 text-link hover:underline lg:min-h-6"
            >
              <ArrowLeft aria-hidden className="size-4" />
              {t("back")}
            </a>
          )}
          {page ? (
            <a href={PAGES.docs} className="font-semibold">
              {t("title")}
            </a>
          ) : (
            <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
          )}
          <search>
            <form action={PAGES.docs} className="flex gap-2">
              <Input
                type="search"
                name="q"
                defaultValue={query}
                maxLength={100}
                aria-label={t("search")}
                placeholder={t("placeholder")}
                required
              />
              <Button type="submit" variant="secondary" size="icon" aria-label={t("search")}>
                <Search aria-hidden />
              </Button>
            </form>
          </search>
          {languages.length === 0 && (
            <p className="text-pretty text-muted-foreground text-sm leading-5">{t("language")}</p>
          )}
          {page && <PageList docs={docs} current={page} className="max-lg:hidden" />}
        </div>
        <div className="flex min-w-0 max-w-3xl flex-col gap-6">
          {page && <Languages pages={languages} current={page} />}
          {page && <Contents page={page} />}
          {page && <DocsContent page={page} docs={docs} codeLabel={t("code")} />}
          {page && <Neighbors docs={docs} current={page} />}
          {!page && query && <Results docs={docs} query={query} />}
          {!page && <Overview docs={docs} />}
          {page && <PageList docs={docs} current={page} className="border-border border-t pt-6 lg:hidden" />}
        </div>
      </main>
    </>
  );
}

/** The pages, by what they are for, with a sentence for each. */
function Overview({ docs }: { docs: Documentation }) {
  const t = useTranslations("docs");
  return (
    <nav aria-label={t("pages")} lang="en" className="grid items-start gap-x-10 gap-y-8 sm:grid-cols-2">
      {docs.groups.map(({ title, pages }) => (
        <section key={title} className="flex flex-col gap-2">
          <h2 className="font-semibold text-base">{title}</h2>
          <ul className="flex flex-col gap-2">
            {pages.map(({ path, title: name, summary, language }) => (
              <li key={path}>
                <DocsLink href={path} language={language}>
                  {name}
                </DocsLink>
                <p className="text-pretty text-muted-foreground text-sm leading-5">{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** The groups, of which that of the current page is open. */
function PageList({ docs, current, className }: { docs: Documentation; current: DocsPage; className?: string }) {
  const t = useTranslations("docs");
  return (
    <nav aria-label={t("pages")} lang="en" className={cn("flex flex-col", className)}>
      {docs.groups.map(({ title, pages }) => (
        <details key={title} open={pages.some(({ path }) => path === current.path)} className="[&[open]]:pb-3">
          <summary className="ms-4 cursor-pointer list-outside rounded-md py-2.5 pe-1 font-medium hover:bg-accent lg:py-1.5">
            {title}
          </summary>
          <ul className="flex flex-col gap-0.5 ps-4 pt-0.5">
            {pages.map(({ path, title: name, language }) => (
              <li key={path}>
                <a
                  href={path}
                  lang={language}
                  aria-current={path === current.path ? "page" : undefined}
                  className={cn(
                    "flex min-h-11 items-center rounded-md px-2 hover:bg-accent lg:min-h-8",
                    "aria-[current]:bg-accent aria-[current]:font-medium",
                  )}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

/** The same page in other languages. */
function Languages({ pages, current }: { pages: readonly DocsPage[]; current: DocsPage }) {
  const t = useTranslations("locale");
  if (pages.length === 0) return null;
  return (
    <nav aria-label={t("label")}>
      <ul className="flex flex-wrap gap-x-4">
        {pages.map(({ path, language }) => (
          <li key={path}>
            {language === current.language ? (
              <span lang={language} aria-current="true" className="inline-block py-1.5 font-medium lg:py-0.5">
                {LOCALE_NAMES[language]}
              </span>
            ) : (
              <DocsLink href={path} language={language}>
                {LOCALE_NAMES[language]}
              </DocsLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages before and after one, in the order of the list. */
function Neighbors({ docs, current }: { docs: Documentation; current: DocsPage }) {
  const t = useTranslations("docs");
  const index = docs.pages.findIndex(({ path }) => path === current.path);
  if (index === -1) return null;
  const [previous, next] = [docs.pages[index - 1], docs.pages[index + 1]];
  return (
    <nav aria-label={t("neighbors")} className="flex flex-wrap justify-between gap-4 border-border border-t pt-6">
      {previous && <Neighbor label={t("previous")} page={previous} />}
      {next && <Neighbor label={t("next")} page={next} className="ms-auto text-end" />}
    </nav>
  );
}

function Neighbor({ label, page, className }: { label: string; page: DocsPage; className?: string }) {
  return (
    <a href={page.path} className={cn("group flex min-h-11 flex-col", className)}>
      <span className="text-muted-foreground text-sm">{label}</span>
      <span lang={page.language} className="text-link underline underline-offset-4 group-hover:no-underline">
        {page.title}
      </span>
    </a>
  );
}

/** The headings of a page. */
function Contents({ page }: { page: DocsPage }) {
  const t = useTranslations("docs");
  const sections = page.sections.filter(({ level }) => level === 2 || level === 3);
  if (sections.length < 2) return null;
  return (
    <details className="rounded-lg border border-border px-3 py-2">
      <summary className="cursor-pointer py-1 font-medium">{t("contents")}</summary>
      <ul lang={page.language} className="flex flex-col pt-1">
        {sections.map(({ anchor, title, level }) => (
          <li key={anchor} className={level === 3 ? "ps-4" : undefined}>
            <DocsLink href={`#${anchor}`}>{title}</DocsLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Results({ docs, query }: { docs: Documentation; query: string }) {
  const t = useTranslations("docs");
  const results = searchDocs(query, docs.pages);
  return (
    <section aria-labelledby="docs-results" className="flex flex-col gap-3 border-border border-b pb-6">
      <h2 id="docs-results" className="font-semibold text-base">
        {t("results", { count: results.length, query })}
      </h2>
      <ul lang="en" className="flex flex-col gap-3">
        {results.map(({ page, section, excerpt }) => (
          <li key={`${page.path}#${section.anchor}`} lang={page.language}>
            <DocsLink href={`${page.path}#${section.anchor}`}>
              {section.title === page.title ? page.title : `${page.title} › ${section.title}`}
            </DocsLink>
            <p className="break-words text-muted-foreground text-sm leading-5">{excerpt}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DocsLink({ href, language, children }: { href: string; language?: Locale; children: ReactNode }) {
  return (
    <a
      href={href}
      lang={language}
      className="inline-block py-1.5 text-link underline underline-offset-4 hover:no-underline lg:py-0.5"
    >
      {children}
    </a>
  );
}
