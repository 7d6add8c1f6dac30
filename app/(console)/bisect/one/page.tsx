import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { single } from "@/components/releases/list-query";
import { requireUser } from "@/lib/api/call";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { OneBisect } from "./_components/one-bisect";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("bisects");
  return { title: t("title") };
}

/** What `/bisect?id=` shows (next.config.ts): one search for the build that brought a fault. */
export default async function BisectPage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const id = single((await searchParams).id);
  if (!id) redirect(PAGES.bisect);
  return <OneBisect id={id} actor={actor} />;
}
