import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { StorageView } from "@/components/storage/storage-view";
import { call, requireAdmin } from "@/lib/api/call";
import { getStorage } from "@/lib/features/retention/operations/get-storage";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("storage");
  return { title: t("title") };
}

export default async function StoragePage() {
  await requireAdmin();
  const [t, storage] = await Promise.all([getTranslations("storage"), call(getStorage, {})]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <StorageView storage={storage} />
    </>
  );
}
