import { AppWindow } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DataTableEmpty } from "@/components/common/data-table/data-table-empty";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination } from "@/components/common/data-table/data-table-pagination";
import { DataTableToolbar } from "@/components/common/data-table/data-table-toolbar";
import { EmptyState } from "@/components/common/empty-state";
import { HoverLink } from "@/components/common/hover-link";
import { LinkButton } from "@/components/common/link-button";
import { Avatar } from "@/components/ui/avatar";
import type { App } from "@/lib/features/apps/schema";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";

export type AppCardsProps = {
  items: readonly App[];
  total: number;
  nextCursor: string | null;
  /** Whether the user can create applications. */
  isAdmin: boolean;
  /** Content below the identifier: the latest release. */
  news: (app: App) => ReactNode;
};

/** The applications that a user has access to, to choose from. */
export function AppCards({ items, total, nextCursor, isAdmin, news }: AppCardsProps) {
  const t = useTranslations("home");
  return (
    <DataTableFrame
      toolbar={<DataTableToolbar search={t("search")} filters={[]} sorts={[]} isEmpty={items.length === 0} />}
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
          <ul aria-label={t("title")} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {items.map((app) => (
              <li
                key={app.id}
                className="group relative flex min-w-0 items-start gap-3.5 rounded-lg border border-border bg-card p-4 transition-colors hover:border-input hover:bg-muted/50 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
              >
                <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-11 text-sm" />
                <div className="flex min-w-0 flex-1 flex-col">
                  <HoverLink
                    href={appPath(app.id, false)}
                    title={app.name}
                    className="truncate font-medium outline-none after:absolute after:inset-0"
                  >
                    {app.name}
                  </HoverLink>
                  <span title={app.identifier} className="truncate font-mono text-muted-foreground text-xs leading-5">
                    {app.identifier}
                  </span>
                  <span className="mt-1.5 text-muted-foreground text-xs leading-4.5">{news(app)}</span>
                </div>
              </li>
            ))}
          </ul>
          <DataTablePagination total={total} nextCursor={nextCursor} />
        </>
      )}
    </DataTableFrame>
  );
}
