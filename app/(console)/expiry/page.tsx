import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { ExpiringTable } from "@/components/expiry/expiring-table";
import { CalendarButton } from "@/components/feeds/feed-button";
import { call, requireUser } from "@/lib/api/call";
import { getExpiring } from "@/lib/features/expiry/operations/get-expiring";
import { getExpiringInput } from "@/lib/features/expiry/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("expiry");
  return { title: t("title") };
}

/** Everything that ends, of what the user may see. */
export default async function ExpiryPage({ searchParams }: QueryPageProps) {
  const { isAdmin } = await requireUser();
  const input = listQuery(getExpiringInput, await searchParams);
  const [t, expiring] = await Promise.all([getTranslations("expiry"), call(getExpiring, input)]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} secondary={<CalendarButton />} />
      <ExpiringTable {...expiring} isAdmin={isAdmin} input={input} />
    </>
  );
}
