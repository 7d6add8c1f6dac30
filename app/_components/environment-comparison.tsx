import { Rows3 } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/common/empty-state";
import { entriesPath } from "@/components/common/navigation/paths";
import { ComparisonPlaces, ComparisonTable } from "@/components/configuration/comparison-on-demand";
import { toComparedRows } from "@/components/configuration/comparison-rows";
import { call } from "@/lib/api/call";
import { DEFAULT_LIMIT } from "@/lib/api/list";
import { getVariablesMatrix } from "@/lib/features/configuration/operations/get-variables-matrix";
import { type EntryKind, scopeOfKind, variablesMatrixInput } from "@/lib/features/configuration/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import type { LoadedEnvironment } from "./environment-page";

/** Secrets are compared page by page, so a page has more of them. */
const SECRETS_LIMIT = 200;

export type EnvironmentComparisonProps = { kind: EntryKind; query: SearchParams; loaded: LoadedEnvironment };

/** The entries of a kind in the current environment beside those in another one of the application. */
export async function EnvironmentComparison({ kind, query, loaded }: EnvironmentComparisonProps) {
  const t = await getTranslations("configuration.comparison");
  const { app, environment, isAdmin } = loaded;
  const others = loaded.environments.filter(
    ({ id, scopes }) => id !== environment.id && scopes.includes(scopeOfKind(kind, "read")),
  );
  const other = others.find(({ id }) => id === query.to) ?? others[0];
  if (!other) return <EmptyState icon={<Rows3 />} title={t("alone.title")} description={t("alone.description")} />;

  const isSecret = kind === "secure-variable";
  const showsAll = query.state === "all";
  const matrix = await call(
    getVariablesMatrix,
    listQuery(variablesMatrixInput, query, {
      appId: app.id,
      kind,
      environmentIds: [environment.id, other.id],
      values: true,
      // Which secrets differ is not known before they are compared.
      state: showsAll || isSecret ? undefined : "different",
      limit: isSecret ? SECRETS_LIMIT : DEFAULT_LIMIT,
    }),
  );
  const pathOf = (environmentId: string) => entriesPath(kind, { appId: app.id, environmentId }, isAdmin);
  const placeOf = ({ id, name, scopes }: typeof environment) => ({
    id,
    name,
    href: pathOf(id),
    canWrite: scopes.includes(scopeOfKind(kind, "write")),
  });
  const all = loaded.environments.filter(({ id }) => id === environment.id || others.some((one) => one.id === id));
  const places = all.some(({ id }) => id === environment.id) ? all : [environment, ...all];
  return (
    <>
      <ComparisonPlaces
        places={places.map(({ id, name }) => ({ id, name }))}
        from={environment.id}
        to={other.id}
        paths={Object.fromEntries(places.map(({ id }) => [id, `${pathOf(id)}&tab=environments`]))}
      />
      <ComparisonTable
        key={other.id}
        kind={kind}
        from={placeOf(environment)}
        to={placeOf(other)}
        rows={toComparedRows(matrix.rows)}
        total={matrix.total}
        nextCursor={matrix.nextCursor}
        showsAll={showsAll}
        valuesOmitted={matrix.valuesOmitted === true}
      />
    </>
  );
}
