import { Layers } from "lucide-react";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { DataTableEmpty } from "@/components/common/data-table/data-table-empty";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination } from "@/components/common/data-table/data-table-pagination";
import { DataTableToolbar } from "@/components/common/data-table/parts-on-demand";
import { EmptyState } from "@/components/common/empty-state";
import { HoverLink } from "@/components/common/hover-link";
import { PageHeader } from "@/components/common/page-header";
import { Card } from "@/components/ui/card";
import { call, thisPage } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironments } from "@/lib/features/environments/operations/get-authorized-environments";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getAuthorizedEnvironmentsInput } from "@/lib/features/environments/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import type { Scope } from "@/lib/permissions/scopes";

/** A list with more environments than this has a search field. */
export const MAX_WITHOUT_SEARCH = 9;

export type ChooseEnvironmentProps = {
  query: SearchParams;
  /** What the page is called. */
  title: string;
  /** One of these is needed to open the page. */
  scopes: readonly Scope[];
  isAdmin: boolean;
};

/** The environments to open a page for that needs one. If there is only one, it is opened at once. */
export async function ChooseEnvironment({ query, title, scopes, isAdmin }: ChooseEnvironmentProps) {
  const { app: appId, search: _search, cursor: _cursor, environment: _environment, ...rest } = query;
  const input = listQuery(getAuthorizedEnvironmentsInput, query, { limit: MAX_LIMIT });
  const ofApp = typeof appId === "string" && appId !== "";
  const [t, nav, app, ofOneApp, ofAll] = await Promise.all([
    getTranslations("environments"),
    getTranslations("nav.pages"),
    ofApp ? call(getApp, { id: appId }) : null,
    ofApp ? call(getAuthorizedEnvironmentsByApp, { ...input, appId }) : null,
    ofApp ? null : call(getAuthorizedEnvironments, input),
  ]);
  const appNames = new Map(ofAll?.items.map((environment) => [environment.id, environment.app.name]));
  const found = ofOneApp ?? (ofAll as NonNullable<typeof ofAll>);
  const items = found.items.filter((environment) => scopes.some((scope) => environment.scopes.includes(scope)));
  const searched = Boolean(query.search) || Boolean(query.cursor);
  const parametersOf = ({ id, appId }: (typeof items)[number]) => {
    const kept = Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return `?${new URLSearchParams([...kept, ["app", appId], ["environment", id]])}`;
  };
  const [only, page] = [items[0], await thisPage()];
  if (only && page !== null && found.total === 1 && !searched) redirect(`${page.split("?")[0]}${parametersOf(only)}`);
  return (
    <>
      <PageHeader
        title={title}
        description={t("chooseFor")}
        breadcrumbs={[{ label: nav("home"), href: isAdmin ? PAGES.adminDashboard : PAGES.home }]}
      />
      <DataTableFrame
        toolbar={
          <DataTableToolbar
            search={found.total > MAX_WITHOUT_SEARCH || searched ? t("search") : false}
            filters={[]}
            sorts={[]}
            isEmpty={items.length === 0}
          />
        }
      >
        {items.length === 0 ? (
          <DataTableEmpty filterKeys={["search"]}>
            <EmptyState
              icon={<Layers />}
              title={t("empty.title")}
              description={t(isAdmin ? "empty.description" : "empty.askAdmin")}
            />
          </DataTableEmpty>
        ) : (
          <Card className="overflow-hidden">
            <ul aria-label={t("title")} className="divide-y divide-border">
              {items.map((environment) => (
                <li key={environment.id}>
                  <HoverLink
                    href={parametersOf(environment)}
                    className="flex min-h-12 flex-wrap items-center gap-x-2 px-4 py-3 outline-none hover:bg-muted/50 focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-[-2px] lg:px-5"
                  >
                    <span className="text-muted-foreground">{app?.name ?? appNames.get(environment.id)} /</span>
                    <span className="font-medium">{environment.name}</span>
                  </HoverLink>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {found.nextCursor !== null && <DataTablePagination total={found.total} nextCursor={found.nextCursor} />}
      </DataTableFrame>
    </>
  );
}
