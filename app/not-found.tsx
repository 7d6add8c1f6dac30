import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { NotFoundMessage } from "@/components/common/shell/not-found-on-demand";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell.notFound");
  return { title: t("title") };
}

export default async function NotFound() {
  const { name, logoUrl } = await call(getAppConfig, {});
  return <NotFoundMessage brand={{ name, logoUrl }} />;
}
