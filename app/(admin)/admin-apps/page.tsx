import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CreateAppButton } from "@/components/apps/app-actions";
import { AppsTable } from "@/components/apps/apps-table";
import { isFiltered } from "@/components/common/data-table/is-filtered";
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
  const query = await searchParams;
  const input = listQuery(getAppsInput, query);
  const [t, apps] = await Promise.all([getTranslations("apps"), call(getApps, input)]);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        action={(apps.total > 0 || isFiltered(query)) && <CreateAppButton />}
      />
      <AppsTable {...apps} input={input} />
    </>
  );
}
