import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { ApiDocs } from "@/components/api-docs/api-docs";
import { call } from "@/lib/api/call";
import { openApiDocument } from "@/lib/api/openapi";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { type Locale, languageOf } from "@/lib/kernel/i18n/locales";
import { operations } from "@/lib/operations";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiDocs");
  return { title: t("title") };
}

const documents = new Map<Locale, Record<string, unknown>>();

/** The API reference, rendered from the same document as /api/openapi.json, in the user's language. */
export default async function ApiDocsPage() {
  const locale = languageOf(await getLocale());
  const document = documents.get(locale) ?? openApiDocument(operations, "", locale);
  documents.set(locale, document);
  return <ApiDocs brand={await call(getAppConfig, {})} document={document} />;
}
