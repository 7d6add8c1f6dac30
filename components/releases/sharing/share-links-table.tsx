import { KeyRound, LinkIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { DateTime } from "@/components/common/date-time";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { ShareLink } from "@/lib/features/share-links/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { ShareLinkMenu } from "./share-link-menu";

/** The table of the links that open the releases of an application without an account. */
export function ShareLinksTable({ items, ...page }: OperationOutput<"share-links/get-share-links">) {
  const t = useTranslations("shareLinks");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      defaultSort="-createdAt"
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-60 xl:max-w-72",
          cell: ({ name, hasPassword }) => (
            <span className="flex min-w-0 items-center gap-1.5">
              <span title={name} className="truncate">
                {name}
              </span>
              {hasPassword && (
                <KeyRound
                  aria-label={t("hasPassword")}
                  role="img"
                  className="size-3.5 shrink-0 text-muted-foreground"
                />
              )}
            </span>
          ),
        },
        {
          key: "target",
          header: t("target"),
          phone: "fact",
          className: "lg:max-w-48 xl:max-w-72",
          cell: (link) => <Target link={link} />,
        },
        { key: "opened", header: t("openedCount"), align: "end", cell: ({ opened }) => opened },
        {
          key: "installed",
          header: t("installedCount"),
          align: "end",
          cell: ({ installed, maxInstalls }) =>
            maxInstalls === null ? installed : t("ofLimit", { count: installed, limit: maxInstalls }),
        },
        {
          key: "expiresAt",
          header: t("expiresAt"),
          hide: "narrow",
          className: "text-muted-foreground",
          cell: ({ expiresAt }) => (expiresAt ? <DateTime date={expiresAt} /> : t("noEnd")),
        },
        {
          key: "state",
          header: t("state"),
          phone: ({ ended }) => Boolean(ended),
          cell: ({ ended }) => (
            <Badge tone={ended ? "warning" : "success"}>{ended ? t(`ended.${ended}`) : t("opens")}</Badge>
          ),
        },
        {
          key: "createdAt",
          header: t("createdAt"),
          sort: "createdAt",
          hide: "narrow",
          className: "text-muted-foreground",
          cell: ({ createdAt, createdBy }) => (
            <span className="flex flex-col">
              <RelativeTime date={createdAt} />
              {createdBy && <span className="text-xs">{createdBy.name}</span>}
            </span>
          ),
        },
      ]}
      hasButtonBesideMenu
      rowActions={(link) => <ShareLinkMenu link={link} />}
      empty={
        <EmptyState
          icon={<LinkIcon />}
          title={t("empty")}
          description={t("emptyOnPage", { tab: t("visitor") })}
          docs={`${PAGES.docs}/share-links`}
        />
      }
    />
  );
}

function Target({ link: { release, followsLatest, platform, environment } }: { link: ShareLink }) {
  const t = useTranslations("shareLinks");
  return (
    <span className="flex min-w-0 flex-col max-lg:flex-row max-lg:items-baseline max-lg:gap-1.5">
      {release ? (
        <span className="font-mono">{`${release.version} (${release.buildNumber})`}</span>
      ) : (
        <span>{t(followsLatest ? "latestShort" : "ended.release-deleted")}</span>
      )}
      <span aria-hidden className="lg:hidden">
        ·
      </span>
      <span className="min-w-0 truncate text-muted-foreground text-xs">
        {platform ? `${environment.name} · ${platform.name}` : environment.name}
      </span>
    </span>
  );
}
