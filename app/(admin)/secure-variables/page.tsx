import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireAdmin } from "@/lib/api/call";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { ManageVariables } from "../../_components/manage-variables";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("variables.title");
  return { title: t("secure-variable") };
}

export default async function SecureVariablesPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  return <ManageVariables kind="secure-variable" query={await searchParams} isAdmin />;
}
