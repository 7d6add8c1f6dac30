import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ApiDocs } from "@/components/api-docs/api-docs";
import { openApiDocument } from "@/lib/api/openapi";
import { operations } from "@/lib/operations";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apiDocs");
  return { title: t("title") };
}

let document: Record<string, unknown> | undefined;

/** The API reference, rendered from the same document as /api/openapi.json. */
export default function ApiDocsPage() {
  document ??= openApiDocument(operations, "");
  return <ApiDocs document={document} />;
}
