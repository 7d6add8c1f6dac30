import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { BisectsTable } from "@/components/releases/bisects/bisects-table";
import { call, requireUser } from "@/lib/api/call";
import { getOwnBisects } from "@/lib/features/bisects/operations/get-own-bisects";
import { getOwnBisectsInput } from "@/lib/features/bisects/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { holdsSomewhere } from "@/lib/permissions/authorize";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("bisects");
  return { title: t("title") };
}

/** One's own searches for builds that brought faults. With `id`, the page of one of them is shown (next.config.ts). */
export default async function BisectPage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const query = await searchParams;
  const mayRead = holdsSomewhere(actor, "release:read");
  const [t, bisects] = await Promise.all([
    getTranslations("bisects"),
    // Somebody who can read no releases has no searches.
    mayRead ? call(getOwnBisects, listQuery(getOwnBisectsInput, query)) : { items: [], nextCursor: null, total: 0 },
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <BisectsTable {...bisects} />
    </>
  );
}
