import type { Metadata } from "next";
import { call, requireAdmin, requireParameter } from "@/lib/api/call";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { ManageEnvironment } from "../../_components/manage-environment";

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const id = requireParameter(await searchParams, "environment", PAGES.adminApps);
  const { name, app } = await call(getEnvironmentApp, { id });
  return { title: `${name} · ${app.name}` };
}

export default async function EnvironmentPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  return <ManageEnvironment query={await searchParams} isAdmin />;
}
