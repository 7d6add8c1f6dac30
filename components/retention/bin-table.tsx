import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { Bytes } from "@/components/common/bytes";
import { DataTable } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { releaseName } from "@/components/common/releases/release-name";
import type { BinnedRelease } from "@/lib/features/retention/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { BinMenu } from "./bin-actions";

export type BinTableProps = {
  items: readonly BinnedRelease[];
  total: number;
  nextCursor: string | null;
};

/** The deleted releases of an application. */
export function BinTable({ items, ...page }: BinTableProps) {
  const t = useTranslations("bin");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      defaultSort="-binnedAt"
      columns={[
        {
          key: "release",
          header: t("release"),
          className: "lg:max-w-80",
          cell: (release) => (
            <span className="flex min-w-0 flex-col">
              <span className="break-words lg:truncate">
                {release.displayName} <span className="font-mono">{releaseName(release)}</span>
              </span>
              <span className="truncate font-normal text-muted-foreground text-xs max-lg:hidden">
                {release.platform.name} · {release.fileName}
              </span>
            </span>
          ),
        },
        {
          key: "environment",
          header: t("environment"),
          hide: "narrow",
          cell: ({ environment }) => <EnvironmentBadge name={environment.name} />,
        },
        { key: "size", header: t("size"), sort: "size", align: "end", cell: ({ size }) => <Bytes value={size} /> },
        {
          key: "binnedAt",
          header: t("deleted"),
          sort: "binnedAt",
          phone: "fact",
          className: "text-muted-foreground",
          cell: ({ binnedAt, deletedBy, reason, platform }) => (
            <span className="flex min-w-0 flex-col">
              <span>
                <span className="lg:hidden">{platform.name} · </span>
                <RelativeTime date={binnedAt} />
              </span>
              <span className="text-xs max-lg:hidden max-lg:in-data-open:inline">
                {reason === "retention" ? t("byRetention") : deletedBy && t("by", { name: deletedBy.name })}
              </span>
            </span>
          ),
        },
        {
          key: "expiresAt",
          header: t("until"),
          className: "text-muted-foreground",
          cell: ({ expiresAt }) => <RelativeTime date={expiresAt} />,
        },
      ]}
      rowActions={(release) => <BinMenu release={release} />}
      empty={
        <EmptyState
          icon={<Trash2 />}
          title={t("empty.title")}
          description={t("empty.description")}
          docs={`${PAGES.docs}/retention`}
        />
      }
    />
  );
}
