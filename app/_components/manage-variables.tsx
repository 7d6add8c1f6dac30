import { getTranslations } from "next-intl/server";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { CreateVariableButton, ImportVariablesButton } from "@/components/variables/variable-actions";
import { VariablesTable } from "@/components/variables/variables-table";
import { call } from "@/lib/api/call";
import type { InputOf } from "@/lib/api/operation";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";
import { variablesInput } from "@/lib/features/variables/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { ConfigurationPage, type ConfigurationPlace } from "./configuration-page";

export type ManageVariablesProps = { kind: VariableKind; query: SearchParams; isAdmin: boolean };

/** The variables of a kind in an environment, with the actions that the user's scopes allow. */
export async function ManageVariables({ kind, query, isAdmin }: ManageVariablesProps) {
  const t = await getTranslations("variables");

  const load = (input: InputOf<typeof getSecureVariables>) =>
    kind === "dev-variable" ? call(getDevelopmentVariables, input) : call(getSecureVariables, input);

  const pageInput = (environmentId: string) => listQuery(variablesInput, query, { environmentId });

  const list = async ({ environmentId, canWrite, canUndo }: ConfigurationPlace) => (
    <VariablesTable
      {...(await load(pageInput(environmentId)))}
      input={pageInput(environmentId)}
      kind={kind}
      environmentId={environmentId}
      canWrite={canWrite}
      canUndo={canUndo}
    />
  );

  return (
    <ConfigurationPage
      kind={kind}
      title={t(`title.${kind}`)}
      query={query}
      isAdmin={isAdmin}
      inactiveNotice={t("inactiveEnvironment")}
      authorize={(environmentId) => load({ environmentId, limit: 1 })}
      isEmpty={async (environmentId) => !isFiltered(query) && (await load(pageInput(environmentId))).total === 0}
      list={list}
      actions={(environmentId) => ({
        primary: <CreateVariableButton kind={kind} environmentId={environmentId} />,
        secondary: <ImportVariablesButton kind={kind} environmentId={environmentId} />,
      })}
    />
  );
}
