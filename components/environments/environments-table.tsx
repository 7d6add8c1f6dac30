import { Layers } from "lucide-react";
import { useTranslations } from "next-intl";
import { DataTable } from "@/components/common/data-table/data-table";
import { useStatusColumn, useStatusFilter } from "@/components/common/data-table/status";
import { EmptyState } from "@/components/common/empty-state";
import { configurationPaths, environmentPath, releasePaths } from "@/components/common/navigation/paths";
import { Nothing } from "@/components/common/nothing";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { Release } from "@/lib/features/releases/schema";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { CreateEnvironmentButton, ReorderEnvironmentsButton } from "./environment-actions";
import { EnvironmentMenu } from "./environment-menu-on-demand";
import { NewestRelease } from "./newest-release";

type EnvironmentList = OperationOutput<"apps/get-app-environments">;
type Row = EnvironmentList["items"][number];

export type EnvironmentsTableProps = EnvironmentList & {
  app: Pick<OperationOutput<"apps/get-app">, "id" | "scopes">;
  /** The latest release of each platform in each environment. */
  newest: readonly Release[];
  /** For administrators, each row links to the environment's page. Other users only have the menu. */
  isAdmin: boolean;
};

/** The environments of an application, with a column for each platform that shows the latest release. */
export function EnvironmentsTable({ app, items, newest, isAdmin, ...page }: EnvironmentsTableProps) {
  const t = useTranslations("environments");
  const statusFilter = useStatusFilter("masculine");
  const statusColumn = useStatusColumn("masculine");
  const canCreate = app.scopes.includes("environment:write");
  const canReorder = items.filter(({ scopes }) => scopes.includes("environment:write")).length > 1;
  const platforms = [...new Map(newest.map(({ platform }) => [platform.id, platform])).values()].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
  const managePath = ({ id }: Row) => contextPath(PAGES.adminEnvironment, app.id, id);
  return (
    <DataTable
      label={t("title")}
      rows={items}
      rowHref={isAdmin ? managePath : undefined}
      phone="cards"
      {...page}
      search={t("search")}
      defaultSort="position"
      filters={[statusFilter]}
      toolbarEnd={canReorder && <ReorderEnvironmentsButton appId={app.id} />}
      columns={[
        {
          key: "name",
          header: t("name"),
          sort: "name",
          className: "lg:max-w-72",
          cell: ({ name, identifiers }) => (
            <span className="flex min-w-0 flex-col">
              <span className="break-words">{name}</span>
              {identifiers.length > 0 && (
                <span className="font-normal text-muted-foreground text-xs leading-4.5" title={identifiers.join("\n")}>
                  {t("moreIdentifiers", { count: identifiers.length })}
                </span>
              )}
            </span>
          ),
        },
        ...(platforms.length === 0
          ? [{ key: "newest", header: t("newest"), cell: (row: Row) => <NoRelease row={row} /> }]
          : platforms.map(({ id, name }) => ({
              key: id,
              header: name,
              cell: (row: Row) => {
                const release = newest.find(
                  ({ environment, platform }) => environment.id === row.id && platform.id === id,
                );
                return release ? <NewestRelease release={release} /> : <NoRelease row={row} />;
              },
            }))),
        statusColumn,
      ]}
      rowActions={({ id, appId, name, status: state, identifiers, updatedAt, scopes }) => {
        const { view, manage } = releasePaths(appId, { id, scopes });
        const { development, secure, certificates } = configurationPaths(appId, { id, scopes }, isAdmin);
        return (
          <EnvironmentMenu
            environment={{ id, appId, name, status: state, identifiers, updatedAt }}
            manageHref={isAdmin ? contextPath(PAGES.adminEnvironment, appId, id) : null}
            releasesHref={isAdmin ? contextPath(PAGES.adminReleases, appId, id) : (manage ?? view)}
            developmentHref={development}
            secureHref={secure}
            certificatesHref={certificates}
            mayUpdate={scopes.includes("environment:write")}
            connectHref={
              scopes.includes("environment:read")
                ? environmentPath({ appId, environmentId: id }, isAdmin, "connect")
                : null
            }
          />
        );
      }}
      empty={
        <EmptyState
          icon={<Layers />}
          title={t("empty.title")}
          description={t(canCreate ? "empty.description" : "empty.askAdmin")}
          action={canCreate ? <CreateEnvironmentButton appId={app.id} /> : undefined}
          docs={`${PAGES.docs}/first-release`}
        />
      }
    />
  );
}

function NoRelease({ row }: { row: Row }) {
  const t = useTranslations("environments");
  if (row.scopes.includes("release:read")) return <Nothing label={t("noRelease")} />;
  return <span className="text-muted-foreground">{t("noAccess")}</span>;
}
