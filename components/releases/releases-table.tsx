import { PackageOpen } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { Bytes } from "@/components/common/bytes";
import { DataTable, type DataTableColumn } from "@/components/common/data-table/data-table";
import { EmptyState } from "@/components/common/empty-state";
import { RelativeTime } from "@/components/common/relative-time";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import { releaseName } from "@/components/common/releases/release-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { filesOfBuild } from "@/lib/client/files-of-build";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Build, Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { Author } from "./author";
import { BuildMenu } from "./build-menu-on-demand";
import { InstallerChips } from "./installer-chips";
import { DownloadButton } from "./installing/download-button";
import { InstallInList } from "./installing/install-on-demand";
import { inOrderOfKinds, installerName } from "./release-groups";
import { type ReleaseRights, releaseRights, releaseSummary } from "./release-summary";
import { ShareButton } from "./sharing/share-button";
import { VersionFilter, type VersionFilterProps } from "./version-filter";

/** An option of a filter, such as a platform. */
type Choice = { id: string; name: string };

/** A build with the releases that its row shows. */
type BuildRow = Pick<Build, "key" | "deployDate"> & {
  /** The first one that a device can install. */
  lead: Release;
  /** Its files as they are now, iOS first. */
  releases: Release[];
  /** IDs of all its releases. */
  ids: string[];
};

function rowOf({ key, deployDate, releases }: Build): BuildRow {
  const files = inOrderOfKinds(filesOfBuild(releases));
  const ids = releases.map(({ id }) => id);
  return { key, deployDate, lead: files[0] as Release, releases: files, ids };
}

export type ReleasesTableProps = {
  items: readonly Build[];
  total: number;
  totalIsAtLeast?: true;
  nextCursor: string | null;
  /** The environments of the releases, with the user's scopes there. */
  environments: OperationOutput<"apps/get-builds">["environments"];
  /** What the list is of. */
  place: VersionFilterProps;
  platforms: readonly Choice[];
  /** The environments to choose from; if given, each row shows its environment. */
  environmentChoices?: readonly Choice[];
  /** The latest releases of the platforms; their rows are marked. */
  latestIds?: readonly string[];
  /** Whether the user may publish in some environment. */
  mayPromote: boolean;
  /** The action of a row on desktops; on phones, it is always to install. */
  action: "share" | "download";
  /** Exports the list. */
  toolbarEnd?: ReactNode;
  /** The next step if the list is empty. */
  empty?: { description: ReactNode; action?: ReactNode };
};

/**
 * The table of releases: a dense table on desktops, cards on phones. A build is one row.
 */
export function ReleasesTable({
  items,
  total,
  totalIsAtLeast,
  nextCursor,
  environments,
  place,
  platforms,
  environmentChoices,
  latestIds = [],
  mayPromote,
  action,
  toolbarEnd,
  empty,
}: ReleasesTableProps) {
  const t = useTranslations("releases");
  const rights = new Map(environments.map(({ id, scopes }) => [id, releaseRights(scopes)]));
  const rightsOf = ({ environment }: Release) => rights.get(environment.id) ?? releaseRights([]);
  const choices = (list: readonly Choice[]) => list.map(({ id, name }) => ({ value: id, label: name }));
  const isLatest = ({ ids }: BuildRow) => ids.some((id) => latestIds.includes(id));

  const environmentColumn: DataTableColumn<BuildRow> = {
    key: "environment",
    header: t("table.environment"),
    hide: "phone",
    className: "lg:max-w-40",
    cell: ({ lead }) => <EnvironmentBadge name={lead.environment.name} />,
  };

  const actionColumn: DataTableColumn<BuildRow> = {
    key: "action",
    header: t("table.action"),
    hideHeader: true,
    // Then in the menu only.
    hide: "narrow",
    // In front of the row's link; on phones, a button of the card's full width.
    className: "relative z-1 lg:w-0 lg:pr-0 max-lg:mt-1 max-lg:block max-lg:before:content-none",
    cell: ({ lead, releases }) => <Actions lead={lead} releases={releases} rights={rightsOf(lead)} action={action} />,
  };

  return (
    <DataTable
      label={t("title")}
      rows={items.map(rowOf)}
      rowKey={({ key }) => key}
      rowHref={({ lead }) => releasePath(lead.id)}
      isHighlighted={isLatest}
      phone="cards"
      total={total}
      totalIsAtLeast={totalIsAtLeast}
      totalLabel={t(totalIsAtLeast ? "table.totalAtLeast" : "table.total", { count: total })}
      nextCursor={nextCursor}
      search={t("search")}
      defaultSort="-deployDate"
      filters={[
        ...(environmentChoices && environmentChoices.length > 1
          ? [{ key: "environment", label: t("filters.environment"), options: choices(environmentChoices) }]
          : []),
        { key: "platformId", label: t("filters.platform"), options: choices(platforms) },
        { type: "control", key: "version", control: <VersionFilter {...place} /> },
        { type: "dates", fromKey: "from", toKey: "to", label: t("filters.date") },
      ]}
      toolbarEnd={toolbarEnd}
      columns={[
        {
          key: "version",
          header: t("table.version"),
          sort: "version",
          className: "lg:whitespace-nowrap",
          cell: (group) => (
            <Version
              release={group.lead}
              releases={group.releases}
              isLatest={isLatest(group)}
              withEnvironment={environmentChoices !== undefined}
            />
          ),
        },
        {
          key: "installers",
          header: t("table.installers"),
          className: "max-lg:block max-lg:before:content-none",
          cell: ({ releases }) => <InstallerChips releases={releases} />,
        },
        ...(environmentChoices ? [environmentColumn] : []),
        {
          key: "description",
          header: t("table.whatChanged"),
          className:
            "text-muted-foreground max-lg:block max-lg:before:content-none lg:w-full lg:min-w-32 lg:max-w-0 xl:min-w-40",
          cell: ({ lead, releases }) => <Changes lead={lead} releases={releases} />,
        },
        {
          key: "size",
          header: t("table.size"),
          sort: "size",
          align: "end",
          hide: "narrow",
          className: "whitespace-nowrap text-muted-foreground max-lg:hidden",
          cell: ({ releases }) => <Sizes releases={releases} />,
        },
        {
          key: "createdBy",
          header: t("table.by"),
          // A picture is narrower than its header in any language, which would break into two lines.
          hideHeader: true,
          hide: "narrow",
          className: "max-lg:hidden",
          cell: ({ lead }) => <Author createdBy={lead.createdBy} />,
        },
        {
          key: "deployDate",
          header: t("table.date"),
          sort: "deployDate",
          hide: "phone",
          className: "whitespace-nowrap text-muted-foreground max-lg:hidden",
          cell: ({ deployDate }) => <RelativeTime date={deployDate} />,
        },
        actionColumn,
      ]}
      rowActions={({ releases }) => (
        <BuildMenu
          mayPromote={mayPromote}
          entries={releases.map((release) => ({ release: releaseSummary(release), rights: rightsOf(release) }))}
        />
      )}
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

/** A version and its build with the icon of the app. */
function Version(props: {
  release: Release;
  releases: readonly Release[];
  isLatest: boolean;
  withEnvironment: boolean;
}) {
  const { release, releases, isLatest, withEnvironment } = props;
  const t = useTranslations("releases.table");
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar shape="square" name={release.displayName} src={release.iconUrl} className="size-10 lg:size-7" />
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-x-2 max-xl:lg:flex-col max-xl:lg:items-start max-lg:flex-wrap">
          <span className="break-all font-mono lg:max-w-56 lg:truncate" title={releaseName(release)}>
            {release.version} <span className="text-muted-foreground">({release.buildNumber})</span>
          </span>
          {isLatest && (
            <Badge tone="accent" className="lg:-ml-1.5 xl:ml-0">
              {t("latest")}
            </Badge>
          )}
        </span>
        {/* On phones, one line that replaces several columns. */}
        <span className="font-normal text-muted-foreground text-xs leading-4.5 lg:hidden">
          {withEnvironment && `${release.environment.name} · `}
          <RelativeTime date={release.deployDate} /> · <Sizes releases={releases} />
        </span>
      </span>
    </span>
  );
}

/** The size of each file: `17 kB · 221 kB`. */
function Sizes({ releases }: { releases: readonly Release[] }) {
  return releases.map((release, index) => (
    <span key={release.id} title={installerName(release)}>
      {index > 0 && " · "}
      <Bytes value={release.size} />
    </span>
  ));
}

/** What has changed, and the provisioning profiles of the installers. */
function Changes({ lead: { descriptionSummary }, releases }: Pick<BuildRow, "lead" | "releases">) {
  return (
    <span className="flex min-w-0 flex-col items-start gap-1 max-lg:gap-2">
      <span
        title={descriptionSummary}
        className="max-w-full break-words lg:line-clamp-2 lg:in-data-dense:line-clamp-1 max-lg:line-clamp-3"
      >
        {descriptionSummary}
      </span>
      <span className="flex max-w-full flex-wrap gap-1 overflow-hidden empty:hidden">
        {releases.map((release) => (
          <ProfileBadge key={release.id} release={release} />
        ))}
      </span>
    </span>
  );
}

/** The button of a row; on phones, it installs the release. */
function Actions(
  props: Pick<BuildRow, "lead" | "releases"> & Pick<ReleasesTableProps, "action"> & { rights: ReleaseRights },
) {
  const { lead, releases, rights, action } = props;
  const isShared = action === "share" || !rights.download;
  const button = { release: releaseSummary(lead), size: "sm", className: "max-lg:hidden" } as const;
  return (
    <>
      {isShared ? <ShareButton {...button} mayUpdate={rights.update} /> : <DownloadButton {...button} />}
      <InstallInList
        releases={releases.map(releaseSummary)}
        mayDownload={rights.download}
        variant="secondary"
        className="w-full lg:hidden"
      />
    </>
  );
}
