import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { CreateVariableButton } from "@/components/variables/variable-actions";
import { VariablesTable } from "@/components/variables/variables-table";
import { call, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { scopeOfKind, type VariableKind } from "@/lib/features/configuration/schema";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { variablesInput } from "@/lib/features/variables/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

export type ManageVariablesProps = { kind: VariableKind; query: SearchParams; isAdmin: boolean };

/** The variables of a kind in an environment, with the actions that the user's scopes allow. */
export async function ManageVariables({ kind, query, isAdmin }: ManageVariablesProps) {
  const appId = requireParameter(query, "app", isAdmin ? PAGES.adminApps : PAGES.home);
  const environmentId = requireParameter(query, "environment", appPath(appId, isAdmin));
  const input = listQuery(variablesInput, query, { environmentId });
  const [t, nav, app, environments, variables] = await Promise.all([
    getTranslations("variables"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
    kind === "dev-variable" ? call(getDevelopmentVariables, input) : call(getSecureVariables, input),
  ]);
  const environment = environments.items[0];
  if (!environment) notFound();
  const canWrite = environment.scopes.includes(scopeOfKind(kind, "write"));
  return (
    <>
      <PageHeader
        breadcrumbs={environmentCrumbs({ app, environment }, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-10" />}
        title={t(`title.${kind}`)}
        description={t(`description.${kind}`, { app: app.name, environment: environment.name })}
        action={canWrite && <CreateVariableButton kind={kind} environmentId={environmentId} />}
      />
      {environment.status === "inactive" && <Alert tone="warning">{t("inactiveEnvironment")}</Alert>}
      <VariablesTable {...variables} kind={kind} environmentId={environmentId} canWrite={canWrite} />
    </>
  );
}
