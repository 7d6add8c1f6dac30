import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CreateAppButton } from "@/components/apps/app-actions";
import { AppsTable } from "@/components/apps/apps-table";
import { PageHeader } from "@/components/common/page-header";
import { call, requireAdmin } from "@/lib/api/call";
import { getApps } from "@/lib/features/apps/operations/get-apps";
import { getAppsInput } from "@/lib/features/apps/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("apps");
  return { title: t("title") };
}

export default async function AppsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const [t, apps] = await Promise.all([
    getTranslations("apps"),
    call(getApps, listQuery(getAppsInput, await searchParams)),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={<CreateAppButton />} />
      <AppsTable {...apps} />
    </>
  );
}
