import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { CreatePlatformButton } from "@/components/platforms/platform-actions";
import { PlatformsTable } from "@/components/platforms/platforms-table";
import { call, requireAdmin } from "@/lib/api/call";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getPlatformsInput } from "@/lib/features/platforms/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("platforms");
  return { title: t("title") };
}

export default async function PlatformsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const input = listQuery(getPlatformsInput, await searchParams);
  const [t, platforms] = await Promise.all([getTranslations("platforms"), call(getPlatforms, input)]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} action={<CreatePlatformButton />} />
      <PlatformsTable {...platforms} input={input} />
    </>
  );
}
