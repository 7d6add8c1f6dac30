import { AppWindow } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTableEmpty } from "@/components/common/data-table/data-table-empty";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination, DataTableToolbar } from "@/components/common/data-table/parts-on-demand";
import { EmptyState } from "@/components/common/empty-state";
import { LinkButton } from "@/components/common/link-button";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { InAppBrowserNotice } from "../installing/in-app-browser-notice";
import { AppBuilds, type BuildsView } from "./app-builds";
import { PageView } from "./page-view";
import { SystemChips } from "./system-chips";

/** A list with more applications than this has a search field. */
const MAX_WITHOUT_SEARCH = 5;

export type BuildsListProps = OperationOutput<"apps/get-installable-releases"> & {
  view: BuildsView;
  /** The value of the cookie of the visits. */
  visits: string | undefined;
  /** Whether the user can create applications. */
  isAdmin: boolean;
  /** Whether the page has been searched. */
  searched: boolean;
};

/** The applications of a tester, each with the build to install. */
export function BuildsList({ items, total, nextCursor, view, visits, isAdmin, searched }: BuildsListProps) {
  const t = useTranslations("home");
  const only = total === 1 && !searched;
  // All of them are here: the application in which something was published last comes first.
  const isComplete = items.length === total;
  const publishedAt = ({ releases }: (typeof items)[number]) =>
    Math.max(0, ...releases.map(({ deployDate }) => Date.parse(deployDate)));
  const shown = isComplete ? items.toSorted((a, b) => publishedAt(b) - publishedAt(a)) : items;
  return (
    <DataTableFrame
      toolbar={
        <div className="flex flex-col gap-3">
          <InAppBrowserNotice rendered={view.device} />
          <PageView visits={visits} rendered={view.device} />
          <div className="flex flex-wrap items-center gap-3">
            {(total > MAX_WITHOUT_SEARCH || searched) && (
              <DataTableToolbar search={t("search")} filters={[]} sorts={[]} isEmpty={false} />
            )}
            {items.length > 0 && <SystemChips system={view.system} />}
          </div>
        </div>
      }
    >
      {items.length === 0 ? (
        <DataTableEmpty filterKeys={["search"]}>
          <EmptyState
            icon={<AppWindow />}
            title={t("empty.title")}
            description={t(isAdmin ? "empty.adminDescription" : "empty.description")}
            action={isAdmin ? <LinkButton href={PAGES.adminApps}>{t("empty.action")}</LinkButton> : undefined}
          />
        </DataTableEmpty>
      ) : (
        <>
          <ul aria-label={t("title")} className="flex flex-col gap-4">
            {shown.map((item) => (
              <li key={item.app.id} className="min-w-0">
                <AppBuilds item={item} unfolded={only} {...view} />
              </li>
            ))}
          </ul>
          {!isComplete && <DataTablePagination total={total} nextCursor={nextCursor} />}
        </>
      )}
    </DataTableFrame>
  );
}
