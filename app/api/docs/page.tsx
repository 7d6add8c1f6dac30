import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { ApiDocs, hasOperation } from "@/components/api-docs/api-docs";
import { call } from "@/lib/api/call";
import { openApiDocument } from "@/lib/api/openapi";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { env } from "@/lib/kernel/env";
import { type Locale, languageOf } from "@/lib/kernel/i18n/locales";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { operations } from "@/lib/operations";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiDocs");
  return { title: t("title") };
}

const documents = new Map<Locale, Record<string, unknown>>();

/** The longest search. */
const MAX_QUERY = 100;

/** The API reference, rendered from the same document as /api/openapi.json, in the user's language. */
export default async function ApiDocsPage({ searchParams }: QueryPageProps) {
  const { operation, q } = await searchParams;
  const locale = languageOf(await getLocale());
  const document = documents.get(locale) ?? openApiDocument(operations, "", locale);
  documents.set(locale, document);
  if (operation !== undefined && (typeof operation !== "string" || !hasOperation(document, operation))) notFound();
  const query = typeof q === "string" ? q.slice(0, MAX_QUERY).trim() : "";
  return (
    <ApiDocs
      brand={await call(getAppConfig, {})}
      document={document}
      operation={operation ?? null}
      query={query}
      origin={env.APP_URL}
    />
  );
}
