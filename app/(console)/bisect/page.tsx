import type { Metadata } from "next";
import dynamic from "next/dynamic";
import { getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/common/page-header";
import { single } from "@/components/releases/list-query";
import { call, requireUser } from "@/lib/api/call";
import { getOwnBisects } from "@/lib/features/bisects/operations/get-own-bisects";
import { getOwnBisectsInput } from "@/lib/features/bisects/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { holdsSomewhere } from "@/lib/permissions/authorize";

// The server loads only what is shown; browsers load the code of both (docs/decisions/054).
const BisectsTable = dynamic(() => import("@/components/releases/bisects-table").then((file) => file.BisectsTable));
const OneBisect = dynamic(() => import("./_components/one-bisect").then((file) => file.OneBisect));

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("bisects");
  return { title: t("title") };
}

/** With `id`, one search for the build that brought a fault; otherwise, all of one's own. */
export default async function BisectPage({ searchParams }: QueryPageProps) {
  const actor = await requireUser();
  const query = await searchParams;
  const id = single(query.id);
  if (id) return <OneBisect id={id} actor={actor} />;
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
