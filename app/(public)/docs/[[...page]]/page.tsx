import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { DocsView } from "@/components/docs/docs-view";
import { DOCS_PAGES } from "@/components/docs/pages";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { PAGES } from "@/lib/kernel/navigation/pages";

const MAX_QUERY = 100;

type DocsProps = { params: Promise<{ page?: string[] }>; searchParams: Promise<{ q?: string | string[] }> };

export async function generateMetadata({ params }: DocsProps): Promise<Metadata> {
  const [t, { page }] = await Promise.all([getTranslations("docs"), params]);
  const path = [PAGES.docs, ...(page ?? [])].join("/");
  return { title: DOCS_PAGES.find((one) => one.path === path)?.title ?? t("title") };
}

/** The documentation for the users of the console, for everybody. It says nothing about this installation. */
export default async function DocsPage({ params, searchParams }: DocsProps) {
  const [{ page: segments = [] }, { q }, brand] = await Promise.all([params, searchParams, call(getAppConfig, {})]);
  const path = [PAGES.docs, ...segments].join("/");
  const page = DOCS_PAGES.find((one) => one.path === path) ?? null;
  if (!page && segments.length > 0) notFound();
  return <DocsView brand={brand} page={page} query={typeof q === "string" ? q.slice(0, MAX_QUERY).trim() : ""} />;
}
