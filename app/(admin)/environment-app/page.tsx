import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { call, requireAdmin } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { ManageEnvironment } from "../../_components/manage-environment";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { environment: id } = await searchParams;
  if (typeof id !== "string" || id === "") return { title: (await getTranslations("releases"))("title") };
  const { name, app } = await call(getEnvironmentApp, { id });
  return { title: `${name} · ${app.name}` };
}

export default async function EnvironmentPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  return <ManageEnvironment query={await searchParams} isAdmin />;
}
