import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { PageHeader } from "@/components/common/page-header";
import { CreateWebhookButton } from "@/components/webhooks/webhook-actions";
import { WebhooksTable } from "@/components/webhooks/webhooks-table";
import { call, requireAdmin } from "@/lib/api/call";
import { getWebhooks } from "@/lib/features/webhooks/operations/get-webhooks";
import { getWebhooksInput } from "@/lib/features/webhooks/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("title") };
}

export default async function WebhooksPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const query = await searchParams;
  const input = listQuery(getWebhooksInput, query);
  const [t, webhooks] = await Promise.all([getTranslations("webhooks"), call(getWebhooks, input)]);
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        action={(webhooks.total > 0 || isFiltered(query)) && <CreateWebhookButton />}
      />
      <WebhooksTable {...webhooks} />
    </>
  );
}
