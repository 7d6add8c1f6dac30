import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { DocsView } from "@/components/docs/docs-view";
import { documentationFor, findPage } from "@/components/docs/pages";
import { call, findUser } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { visitorLocale } from "@/lib/kernel/i18n/visitor-locale";
import { PAGES, startPath } from "@/lib/kernel/navigation/pages";

const MAX_QUERY = 100;

type DocsProps = { params: Promise<{ page?: string[] }>; searchParams: Promise<{ q?: string | string[] }> };

export async function generateMetadata({ params }: DocsProps): Promise<Metadata> {
  const [t, locale, { page = [] }, user] = await Promise.all([
    getTranslations("docs"),
    visitorLocale(),
    params,
    findUser(),
  ]);
  const docs = documentationFor(locale, user?.isAdmin ?? false);
  return { title: findPage(docs, [PAGES.docs, ...page].join("/"))?.title ?? t("title") };
}

/** The documentation, for everybody; the pages about running the console for administrators. It says nothing about this installation. */
export default async function DocsPage({ params, searchParams }: DocsProps) {
  const [{ page: segments = [] }, { q }, locale, brand, user] = await Promise.all([
    params,
    searchParams,
    visitorLocale(),
    call(getAppConfig, {}),
    findUser(),
  ]);
  const docs = documentationFor(locale, user?.isAdmin ?? false);
  const page = findPage(docs, [PAGES.docs, ...segments].join("/"));
  if (!page && segments.length > 0) notFound();
  return (
    <DocsView
      brand={brand}
      docs={docs}
      page={page}
      query={typeof q === "string" ? q.slice(0, MAX_QUERY).trim() : ""}
      home={user && startPath(user.isAdmin)}
    />
  );
}
