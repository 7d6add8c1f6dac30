import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { call } from "@/lib/api/call";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { NotFoundMessage } from "./_components/not-found-message";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("shell.notFound");
  return { title: t("title") };
}

export default async function NotFound() {
  return <NotFoundMessage brand={await call(getAppConfig, {})} />;
}
