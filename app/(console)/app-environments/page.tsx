import type { Metadata } from "next";
import dynamic from "next/dynamic";
import { call, requireParameter, requireUser } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { isTester } from "@/lib/permissions/tester";

// The server loads only what is shown; browsers load the code of both (docs/decisions/054).
const AppReleases = dynamic(() => import("../../_components/app-releases").then((file) => file.AppReleases));
const EnvironmentsOfApp = dynamic(() =>
  import("./_components/environments-of-app").then((file) => file.EnvironmentsOfApp),
);

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { name } = await call(getApp, { id: requireParameter(await searchParams, "app", PAGES.home) });
  return { title: name };
}

export default async function AppEnvironmentsPage({ searchParams }: QueryPageProps) {
  const [actor, query] = await Promise.all([requireUser(), searchParams]);
  const appId = requireParameter(query, "app", PAGES.home);
  if (isTester(actor)) return <AppReleases appId={appId} query={query} actor={actor} />;
  return <EnvironmentsOfApp appId={appId} query={query} />;
}
