import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ApiDocs } from "@/components/api-docs/api-docs";
import { call } from "@/lib/api/call";
import { openApiDocument } from "@/lib/api/openapi";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { operations } from "@/lib/operations";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiDocs");
  return { title: t("title") };
}

let document: Record<string, unknown> | undefined;

/** The API reference, rendered from the same document as /api/openapi.json. */
export default async function ApiDocsPage() {
  document ??= openApiDocument(operations, "");
  return <ApiDocs brand={await call(getAppConfig, {})} document={document} />;
}
