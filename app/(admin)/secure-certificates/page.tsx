import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireAdmin } from "@/lib/api/call";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { ManageCertificates } from "../../_components/manage-certificates";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("certificates");
  return { title: t("title") };
}

export default async function SecureCertificatesPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  return <ManageCertificates query={await searchParams} isAdmin />;
}
