import { Braces, History, KeyRound, Rows3 } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { LinkTabs } from "@/components/common/navigation/link-tabs";
import { variablesPath } from "@/components/common/navigation/paths";
import { currentTab, type PageTab } from "@/components/common/navigation/tabbed-page";
import { PageHeader } from "@/components/common/page-header";
import { HistoryList } from "@/components/configuration/history-list";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { CreateVariableButton, ImportVariablesButton } from "@/components/variables/variable-actions";
import { VariablesMatrix } from "@/components/variables/variables-matrix";
import { VariablesTable } from "@/components/variables/variables-table";
import { call, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getConfigurationVersions } from "@/lib/features/configuration/operations/get-configuration-versions";
import { getVariablesMatrix } from "@/lib/features/configuration/operations/get-variables-matrix";
import {
  configurationVersionsInput,
  ENTRY_KINDS,
  scopeOfKind,
  type VariableKind,
} from "@/lib/features/configuration/schema";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { variablesInput } from "@/lib/features/variables/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

export type ManageVariablesProps = { kind: VariableKind; query: SearchParams; isAdmin: boolean };

type Tab = "list" | "environments" | "history";

const ICONS = { "dev-variable": <Braces aria-hidden />, "secure-variable": <KeyRound aria-hidden /> };

/** The variables of a kind in an environment, with the actions that the user's scopes allow. */
export async function ManageVariables({ kind, query, isAdmin }: ManageVariablesProps) {
  const appId = requireParameter(query, "app", isAdmin ? PAGES.adminApps : PAGES.home);
  const environmentId = requireParameter(query, "environment", appPath(appId, isAdmin));
  const place = { appId, environmentId };
  const [t, nav, app, environments] = await Promise.all([
    getTranslations("variables"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
  ]);
  const environment = environments.items[0];
  if (!environment) notFound();
  const { scopes } = environment;
  const canWrite = scopes.includes(scopeOfKind(kind, "write"));
  const canReadHistory = scopes.includes("environment:read");
  const tabs: [PageTab<Tab>, ...PageTab<Tab>[]] = [
    { key: "list", icon: ICONS[kind] },
    { key: "environments", tab: "environments", icon: <Rows3 aria-hidden /> },
  ];
  if (canReadHistory) tabs.push({ key: "history", tab: "history", icon: <History aria-hidden /> });
  const current = currentTab(tabs, query.tab);
  const canAdd = canWrite && current === "list";
  const path = variablesPath(kind, place, isAdmin);
  return (
    <>
      <PageHeader
        breadcrumbs={environmentCrumbs({ app, environment }, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-10" />}
        title={t(`title.${kind}`)}
        description={t(`description.${kind}`, { app: app.name, environment: environment.name })}
        secondary={canAdd && <ImportVariablesButton kind={kind} environmentId={environmentId} />}
        action={canAdd && <CreateVariableButton kind={kind} environmentId={environmentId} />}
      />
      {environment.status === "inactive" && <Alert tone="warning">{t("inactiveEnvironment")}</Alert>}
      <LinkTabs
        label={t("tabs.label")}
        current={current}
        tabs={tabs.map(({ key, tab, icon }) => ({
          key,
          label: t(`tabs.${key}`),
          href: tab ? `${path}&tab=${tab}` : path,
          icon,
        }))}
      />
      {current === "list" && (
        <VariableList
          kind={kind}
          query={query}
          environmentId={environmentId}
          canWrite={canWrite}
          canUndo={canReadHistory}
        />
      )}
      {current === "environments" && (
        <VariablesMatrix
          kind={kind}
          place={place}
          matrix={await call(getVariablesMatrix, { appId, kind })}
          isAdmin={isAdmin}
        />
      )}
      {current === "history" && (
        <HistoryList
          environmentId={environmentId}
          writableKinds={ENTRY_KINDS.filter((entryKind) => scopes.includes(scopeOfKind(entryKind, "write")))}
          {...(await call(getConfigurationVersions, listQuery(configurationVersionsInput, query, { environmentId })))}
        />
      )}
    </>
  );
}

type VariableListProps = {
  kind: VariableKind;
  query: SearchParams;
  environmentId: string;
  canWrite: boolean;
  canUndo: boolean;
};

async function VariableList({ kind, query, ...place }: VariableListProps) {
  const input = listQuery(variablesInput, query, { environmentId: place.environmentId });
  const variables = await (kind === "dev-variable"
    ? call(getDevelopmentVariables, input)
    : call(getSecureVariables, input));
  return <VariablesTable {...variables} kind={kind} {...place} />;
}
