import { History } from "lucide-react";
import { useTranslations } from "next-intl";
import { CompareButton } from "@/components/common/configuration/compare-button";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { DataTablePagination } from "@/components/common/data-table/parts-on-demand";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { ConfigurationVersion, EntryKind } from "@/lib/features/configuration/schema";
import { RestoreButton } from "./restore-button";

/** Number of changes of a version that the list shows. */
const SHOWN_CHANGES = 5;

const ACTION_TONES = { create: "success", update: "info", delete: "danger" } as const;

export type HistoryListProps = OperationOutput<"apps/get-configuration-versions"> & {
  environmentId: string;
  /** The kinds that the user may restore. */
  writableKinds: readonly EntryKind[];
};

/** The versions of an environment's configuration, newest first: who changed what and when, without values. */
export function HistoryList({ environmentId, writableKinds, items, nextCursor, ...page }: HistoryListProps) {
  const t = useTranslations("configuration.history");
  if (items.length === 0) {
    return <EmptyState icon={<History />} title={t("empty.title")} description={t("empty.description")} />;
  }
  // Versions are numbered without gaps, so the newest one has the number of all versions.
  const current = page.total;
  return (
    <DataTableFrame
      toolbar={
        <div className="flex justify-end">
          <CompareButton
            label="compareVersions"
            environmentId={environmentId}
            from={current - 1}
            to={current}
            latest={current}
          />
        </div>
      }
    >
      <ol
        aria-label={t("title")}
        className="flex flex-col divide-y divide-border rounded-lg border border-border bg-card"
      >
        {items.map((version) => (
          <li key={version.version} className="flex flex-col gap-3 p-4 xl:flex-row xl:items-start xl:justify-between">
            <VersionSummary version={version} isCurrent={version.version === current} />
            <div className="flex shrink-0 flex-wrap gap-2 max-xl:-ml-2.5">
              <CompareButton
                label="comparePrevious"
                environmentId={environmentId}
                from={version.version - 1}
                to={version.version}
                latest={current}
                version={version.version}
              />
              {version.version !== current && (
                <CompareButton
                  label="compare"
                  className="max-lg:hidden"
                  environmentId={environmentId}
                  from={version.version}
                  to={current}
                  latest={current}
                  version={version.version}
                />
              )}
              {version.version !== current && writableKinds.length > 0 && (
                <RestoreButton
                  environmentId={environmentId}
                  version={version.version}
                  latest={current}
                  kinds={writableKinds}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      <DataTablePagination {...page} nextCursor={nextCursor} />
    </DataTableFrame>
  );
}

function VersionSummary({ version, isCurrent }: { version: ConfigurationVersion; isCurrent: boolean }) {
  const t = useTranslations("configuration.history");
  const kinds = useTranslations("configuration.kind");
  const { at, by, restoredFrom, changes, changeCount } = version;
  const shown = changes.slice(0, SHOWN_CHANGES);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium tabular-nums">{t("version", { version: version.version })}</span>
        {isCurrent && <Badge tone="accent">{t("current")}</Badge>}
        <span className="text-muted-foreground">
          <RelativeTime date={at} /> {by ? t("by", { name: by.name }) : t("unknownAuthor")}
        </span>
      </div>
      {restoredFrom !== null && <p className="text-muted-foreground">{t("restored", { version: restoredFrom })}</p>}
      <ul className="flex flex-col gap-1">
        {shown.map(({ kind, key, action }) => (
          <li key={`${kind} ${key}`} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={ACTION_TONES[action]}>{t(`action.${action}`)}</Badge>
            <code className="min-w-0 break-all font-mono text-[0.8125rem]">{key}</code>
            <span className="text-muted-foreground text-xs">{kinds(kind)}</span>
          </li>
        ))}
        {changeCount > shown.length && (
          <li className="text-muted-foreground">{t("more", { count: changeCount - shown.length })}</li>
        )}
      </ul>
    </div>
  );
}
