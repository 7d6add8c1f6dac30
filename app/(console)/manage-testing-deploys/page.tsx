import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireUser } from "@/lib/api/call";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { ManageEnvironment } from "../../_components/manage-environment";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("releases");
  return { title: t("title") };
}

export default async function ManageTestingDeploysPage({ searchParams }: QueryPageProps) {
  await requireUser();
  return <ManageEnvironment query={await searchParams} isAdmin={false} />;
}
