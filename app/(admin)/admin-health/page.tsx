import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { HealthView } from "@/components/health/health-view";
import { RefreshButton } from "@/components/health/refresh-button";
import { call, requireAdmin } from "@/lib/api/call";
import { getHealth } from "@/lib/features/health/operations/get-health";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("health");
  return { title: t("title") };
}

export default async function HealthPage() {
  await requireAdmin();
  const [t, health] = await Promise.all([getTranslations("health"), call(getHealth, {})]);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        action={<RefreshButton>{t("refresh")}</RefreshButton>}
      />
      <HealthView health={health} />
    </>
  );
}
