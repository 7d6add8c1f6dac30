import { ShieldCheck } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DataTable } from "@/components/common/data-table/data-table";
import { ExportButton } from "@/components/common/data-table/export-button";
import { EmptyState } from "@/components/common/empty-state";
import { ScopeChips } from "@/components/common/permissions/scope-chips";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { CreatePermissionButton, PermissionMenu } from "./permission-actions";

export type PermissionsTableProps = OperationOutput<"permissions/get-role-permissions"> & {
  /** The filters and the order of the list, for its export. */
  input: OperationInput<"permissions/get-role-permissions">;
  /** The roles to filter by. */
  roles: readonly { id: string; name: string }[];
};

/** Number of scopes that a row shows. */
const SHOWN_SCOPES = 4;
const SHOWN_APPS = 4;

/** The table of permissions: what each role may do, and where. */
export function PermissionsTable({ items, input, roles, ...page }: PermissionsTableProps) {
  const t = useTranslations("permissions");
  return (
    <DataTable
      label={t("title")}
      rows={items}
      {...page}
      search={t("search")}
      filters={[
        { key: "roleId", label: t("role"), options: roles.map(({ id, name }) => ({ value: id, label: name })) },
      ]}
      toolbarEnd={
        <ExportButton
          path="permissions/get-role-permissions"
          input={input}
          total={page.total}
          totalIsAtLeast={page.totalIsAtLeast}
        />
      }
      columns={[
        {
          key: "role",
          header: t("role"),
          sort: "role",
          className: "lg:max-w-36 lg:align-top lg:py-3 xl:max-w-56",
          cell: ({ role }) => (
            <span className="block truncate" title={role.name}>
              {role.name}
            </span>
          ),
        },
        {
          key: "scopes",
          header: t("scopes"),
          className: "lg:max-w-96 lg:align-top lg:py-2.5",
          cell: ({ scopes }) => <ScopeChips scopes={scopes} max={SHOWN_SCOPES} />,
        },
        {
          key: "apps",
          header: t("apps"),
          phone: "fact",
          className: "lg:max-w-36 lg:align-top lg:py-2.5 xl:max-w-56",
          cell: ({ apps, groups }) =>
            groups.length > 0 ? (
              <>
                <span className="max-lg:hidden">
                  <Apps apps={appsOf(groups)} />
                </span>
                <span className="lg:hidden">
                  <Groups groups={groups} />
                </span>
              </>
            ) : (
              <Apps apps={apps} />
            ),
        },
        {
          key: "environments",
          header: t("environments"),
          className: "lg:max-w-36 lg:py-2.5 lg:align-top xl:max-w-72",
          cell: ({ apps, groups }) =>
            groups.length > 0 ? (
              <>
                <span className="max-lg:hidden">
                  <Groups groups={groups} />
                </span>
                <span className="lg:hidden">{t("groupsHint")}</span>
              </>
            ) : (
              <Environments apps={apps} />
            ),
        },
      ]}
      rowActions={(permission) => <PermissionMenu permission={permission} />}
      empty={
        <EmptyState
          icon={<ShieldCheck />}
          title={t("empty.title")}
          description={t("empty.description")}
          action={<CreatePermissionButton />}
          docs={`${PAGES.docs}/permissions`}
        />
      }
    />
  );
}

function Apps({ apps }: Pick<RolePermission, "apps">) {
  const t = useTranslations("permissions");
  if (apps === "all") return <Badge tone="accent">{t("allApps")}</Badge>;
  if (apps.length === 0) return <span className="text-muted-foreground">{t("noApps")}</span>;
  return (
    <Lines className="max-lg:flex-row max-lg:gap-x-1.5 max-lg:[&>:not(:nth-last-child(-n+1))]:after:content-[',']">
      {apps.slice(0, SHOWN_APPS).map(({ id, name }) => (
        <Line key={id} title={name} isCut>
          {name}
        </Line>
      ))}
      {apps.length > SHOWN_APPS && (
        <Line
          title={apps
            .slice(SHOWN_APPS)
            .map(({ name }) => name)
            .join("\n")}
          isCut
        >
          <span className="text-muted-foreground">{t("more", { count: apps.length - SHOWN_APPS })}</span>
        </Line>
      )}
    </Lines>
  );
}

/** The applications of groups, each once, in their order. */
function appsOf(groups: RolePermission["groups"]): Exclude<RolePermission["apps"], "all"> {
  const apps = new Map(groups.map(({ app }) => [app.id, app] as const));
  return [...apps.values()].map((app) => ({ ...app, environments: [] }));
}

/** One line for the groups of each application, aligned with its name in the previous column; phones name it with the groups. */
function Groups({ groups }: Pick<RolePermission, "groups">) {
  const t = useTranslations("permissions");
  const format = useFormatter();
  const byApp = [...Map.groupBy(groups, ({ app }) => app.id).values()];
  return (
    <Lines>
      {byApp.slice(0, SHOWN_APPS).map((ofApp) => {
        const names = format.list(
          ofApp.map(({ name }) => name),
          { type: "conjunction" },
        );
        const app = ofApp[0]?.app;
        const text = t("releasesOf", { count: ofApp.length, groups: names });
        return (
          <Line key={app?.id} title={text} isCut>
            {text}
            <span className="lg:hidden"> · {app?.name}</span>
          </Line>
        );
      })}
    </Lines>
  );
}

/** One line for each application, aligned with its name in the previous column; on phones, the name is repeated. */
function Environments({ apps }: Pick<RolePermission, "apps">) {
  const t = useTranslations("permissions");
  if (apps === "all") return <Badge tone="accent">{t("allEnvironments")}</Badge>;
  return (
    <Lines>
      {apps.slice(0, SHOWN_APPS).map(({ id, name, environments }) => {
        const names = environments === "all" ? null : environments.map((environment) => environment.name).join(", ");
        return (
          <Line key={id} title={names ?? undefined}>
            {apps.length > 1 && <span className="text-muted-foreground lg:hidden">{name}: </span>}
            {names ?? <Badge tone="outline">{t("allEnvironments")}</Badge>}
          </Line>
        );
      })}
    </Lines>
  );
}

function Lines({ className, children }: { className?: string; children: ReactNode }) {
  return <span className={cn("flex min-w-0 flex-col gap-1", className)}>{children}</span>;
}

/** @param isCut whether it is one line on phones too, as part of the fact of a row */
function Line({ title, isCut = false, children }: { title?: string; isCut?: boolean; children: ReactNode }) {
  return (
    <span className={cn("block min-w-0 leading-5.5", isCut ? "truncate" : "break-words lg:truncate")} title={title}>
      {children}
    </span>
  );
}
