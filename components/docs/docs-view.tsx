import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PublicHeader } from "@/components/common/shell/public-header";
import type { ShellBrand } from "@/components/common/shell/types";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { DocsContent } from "./docs-content";
import { DOCS_PAGES } from "./pages";
import { type DocsPage, searchDocs } from "./parse";

/** The documentation: a page, what a search found, or the list of pages. */
export function DocsView({ brand, page, query }: { brand: ShellBrand; page: DocsPage | null; query: string }) {
  const t = useTranslations("docs");
  return (
    <>
      <PublicHeader brand={brand} />
      <main className="mx-auto grid w-full max-w-6xl items-start gap-x-10 gap-y-6 px-4 py-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:py-10">
        <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-6">
          {page ? (
            <a href={PAGES.docs} className="font-semibold">
              {t("title")}
            </a>
          ) : (
            <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
          )}
          <search>
            <form action={PAGES.docs} className="flex gap-2">
              <Input type="search" name="q" defaultValue={query} maxLength={100} aria-label={t("search")} required />
              <Button type="submit" variant="secondary" size="icon" aria-label={t("search")}>
                <Search aria-hidden />
              </Button>
            </form>
          </search>
          <p className="text-pretty text-muted-foreground text-sm leading-5">{t("language")}</p>
          {page && <PageList current={page} className="max-lg:hidden" />}
        </div>
        <div className="flex min-w-0 max-w-3xl flex-col gap-6">
          {page && <Contents page={page} />}
          {page && <DocsContent page={page} codeLabel={t("code")} />}
          {!page && query && <Results query={query} />}
          {!page && <PageList />}
          {page && <PageList current={page} className="border-border border-t pt-6 lg:hidden" />}
        </div>
      </main>
    </>
  );
}

function PageList({ current, className }: { current?: DocsPage; className?: string }) {
  const t = useTranslations("docs");
  return (
    <nav aria-label={t("pages")} className={className}>
      <ul lang="en" className="flex flex-col gap-0.5">
        {DOCS_PAGES.map((page) => (
          <li key={page.path}>
            <a
              href={page.path}
              aria-current={page === current ? "page" : undefined}
              className={cn(
                "flex min-h-11 items-center rounded-md px-2 hover:bg-accent lg:min-h-8",
                page.file.startsWith("sso/") && !page.file.endsWith("README.md") && "ps-5",
                "aria-[current]:bg-accent aria-[current]:font-medium",
              )}
            >
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
      <ul lang="en" className="flex flex-col pt-1">
        {sections.map(({ anchor, title, level }) => (
          <li key={anchor} className={level === 3 ? "ps-4" : undefined}>
            <DocsLink href={`#${anchor}`}>{title}</DocsLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Results({ query }: { query: string }) {
  const t = useTranslations("docs");
  const results = searchDocs(query, DOCS_PAGES);
  return (
    <section aria-labelledby="docs-results" className="flex flex-col gap-3 border-border border-b pb-6">
      <h2 id="docs-results" className="font-semibold text-base">
        {t("results", { count: results.length, query })}
      </h2>
      <ul lang="en" className="flex flex-col gap-3">
        {results.map(({ page, section, excerpt }) => (
          <li key={`${page.path}#${section.anchor}`}>
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

function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="inline-block py-1.5 text-link underline underline-offset-4 hover:no-underline lg:py-0.5">
      {children}
    </a>
  );
}
