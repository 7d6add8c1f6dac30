import { PackageOpen } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Bytes } from "@/components/common/bytes";
import { DataTable, type DataTableColumn } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { EnvironmentBadge } from "@/components/common/environment-badge";
import { ProfileBadge } from "@/components/common/profile-badge";
import { RelativeTime } from "@/components/common/relative-time";
import { Avatar } from "@/components/ui/avatar";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { DownloadButton } from "./download-button";
import { InstallButton } from "./install-button";
import { Creator } from "./release-details";
import { ReleaseMenu } from "./release-menu";
import { releaseRights, releaseSummary } from "./release-summary";
import { ShareButton } from "./share-button";
import { VersionFilter, type VersionFilterProps } from "./version-filter";

/** An option of a filter, such as a platform. */
type Choice = { id: string; name: string };

export type ReleasesTableProps = {
  items: readonly Release[];
  total: number;
  totalIsAtLeast?: true;
  nextCursor: string | null;
  /** The environments of the releases, with the user's scopes there. */
  environments: OperationOutput<"apps/get-testing-deploys">["environments"];
  /** What the list is of. */
  place: VersionFilterProps;
  platforms: readonly Choice[];
  /** The environments to choose from; if given, each row shows its environment. */
  environmentChoices?: readonly Choice[];
  /** The action of a row on desktops; on phones, it is always to install. */
  action: "share" | "download";
  /** The next step if the list is empty. */
  empty?: { description: ReactNode; action?: ReactNode };
};

/** The table of releases, newest first: a dense table on desktops, cards on phones. */
export function ReleasesTable({
  items,
  total,
  totalIsAtLeast,
  nextCursor,
  environments,
  place,
  platforms,
  environmentChoices,
  action,
  empty,
}: ReleasesTableProps) {
  const t = useTranslations("releases");
  const rights = new Map(environments.map(({ id, scopes }) => [id, releaseRights(scopes)]));
  const rightsOf = ({ environment }: Release) => rights.get(environment.id) ?? releaseRights([]);
  const choices = (list: readonly Choice[]) => list.map(({ id, name }) => ({ value: id, label: name }));

  const environmentColumn: DataTableColumn<Release> = {
    key: "environment",
    header: t("table.environment"),
    hide: "phone",
    className: "lg:max-w-40",
    cell: ({ environment }) => <EnvironmentBadge name={environment.name} />,
  };
  const detailColumns: DataTableColumn<Release>[] = [
    {
      key: "size",
      header: t("table.size"),
      align: "end",
      hide: "narrow",
      className: "whitespace-nowrap text-muted-foreground max-lg:hidden",
      cell: ({ size }) => <Bytes value={size} />,
    },
    {
      key: "createdBy",
      header: t("table.by"),
      hide: "narrow",
      className: "text-muted-foreground max-lg:hidden lg:max-w-40 lg:truncate",
      cell: ({ createdBy }) => <Creator createdBy={createdBy} />,
    },
  ];

  const actionColumn: DataTableColumn<Release> = {
    key: "action",
    header: t("table.action"),
    // In front of the row's link; on phones, a button of the card's full width.
    className: "relative z-1 lg:w-0 lg:pr-0 max-lg:mt-1 max-lg:block max-lg:before:content-none",
    cell: (release) => {
      const summary = releaseSummary(release);
      const { download } = rightsOf(release);
      return (
        <>
          {action === "share" || !download ? (
            <ShareButton release={summary} size="sm" className="max-lg:hidden" />
          ) : (
            <DownloadButton release={summary} size="sm" className="max-lg:hidden" />
          )}
          <InstallButton release={summary} mayDownload={download} variant="secondary" className="w-full lg:hidden" />
        </>
      );
    },
  };

  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowKey={({ id }) => id}
      rowHref={({ id }) => releasePath(id)}
      total={total}
      totalIsAtLeast={totalIsAtLeast}
      nextCursor={nextCursor}
      search={t("search")}
      filters={[
        ...(environmentChoices && environmentChoices.length > 1
          ? [{ key: "environment", label: t("filters.environment"), options: choices(environmentChoices) }]
          : []),
        { key: "platformId", label: t("filters.platform"), options: choices(platforms) },
        { type: "control", key: "version", control: <VersionFilter {...place} /> },
        { type: "dates", fromKey: "from", toKey: "to", label: t("filters.date") },
      ]}
      columns={[
        {
          key: "version",
          header: t("table.version"),
          className: "lg:whitespace-nowrap",
          cell: (release) => (
            <span className="flex min-w-0 items-center gap-3">
              <Avatar shape="square" name={release.displayName} src={release.iconUrl} className="size-10 lg:size-7" />
              <span className="flex min-w-0 flex-col">
                <span className="break-all font-mono">
                  {release.version} <span className="text-muted-foreground">({release.buildNumber})</span>
                </span>
                {/* On phones, one line replaces several columns. */}
                <span className="font-normal text-muted-foreground text-xs leading-4.5 lg:hidden">
                  {environmentChoices && `${release.environment.name} · `}
                  <PlatformName release={release} /> · <RelativeTime date={release.deployDate} />
                </span>
              </span>
            </span>
          ),
        },
        ...(environmentChoices ? [environmentColumn] : []),
        {
          key: "platform",
          header: t("table.platform"),
          hide: "phone",
          className: "whitespace-nowrap",
          cell: (release) => <PlatformName release={release} />,
        },
        {
          key: "description",
          header: t("table.whatChanged"),
          className: "text-muted-foreground max-lg:block max-lg:before:content-none lg:w-full lg:min-w-36 lg:max-w-0",
          cell: (release) => (
            <span className="flex min-w-0 flex-col items-start gap-1 max-lg:gap-2">
              <span title={release.descriptionSummary} className="max-w-full lg:truncate max-lg:line-clamp-3">
                {release.descriptionSummary}
              </span>
              <span className="shrink-0 empty:hidden">
                <ProfileBadge release={release} />
              </span>
            </span>
          ),
        },
        ...detailColumns,
        {
          key: "deployDate",
          header: t("table.date"),
          hide: "phone",
          className: "whitespace-nowrap text-muted-foreground",
          cell: ({ deployDate }) => <RelativeTime date={deployDate} />,
        },
        actionColumn,
        {
          key: "menu",
          header: "",
          actions: true,
          cell: (release) => <ReleaseMenu release={releaseSummary(release)} rights={rightsOf(release)} />,
        },
      ]}
      empty={
        <EmptyState
          icon={<PackageOpen />}
          title={t("empty.title")}
          description={empty?.description ?? t("empty.wait")}
          action={empty?.action}
        />
      }
    />
  );
}

/** The platform with the kind of the installer, because Android has two. */
function PlatformName({ release }: { release: Release }) {
  const { platform, installer } = release;
  if (installer.kind === "ipa") return platform.name;
  return (
    <>
      {platform.name} <span className="font-mono text-muted-foreground">.{installer.kind}</span>
    </>
  );
}
