import { Braces, FileKey2, GitCompareArrows, History, KeyRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { LinkTabs } from "@/components/common/navigation/link-tabs";
import { entriesPath } from "@/components/common/navigation/paths";
import { HistoryList } from "@/components/configuration/history-list";
import { call } from "@/lib/api/call";
import { getConfigurationVersions } from "@/lib/features/configuration/operations/get-configuration-versions";
import {
  configurationVersionsInput,
  ENTRY_KINDS,
  type EntryKind,
  scopeOfKind,
} from "@/lib/features/configuration/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { EnvironmentComparison } from "./environment-comparison";
import { EnvironmentPage, type LoadedEnvironment, WithEnvironment } from "./environment-page";

/** The environment that a page shows, and what the user may do with its entries of a kind. */
export type ConfigurationPlace = {
  appId: string;
  environmentId: string;
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

/** A section beside the list of entries, selected by `tab` in the URL. */
type Section = { key: string; label: string; icon: ReactNode; content: (place: ConfigurationPlace) => ReactNode };

export type ConfigurationPageProps = {
  kind: EntryKind;
  /** What the entries are called. */
  title: string;
  query: SearchParams;
  isAdmin: boolean;
  inactiveNotice: string;
  /** Runs the query of the page's entries, which leads users who may not read them elsewhere. */
  authorize: (environmentId: string) => Promise<unknown>;
  /** Whether the environment has no entries; the empty list then has the buttons. */
  isEmpty: (environmentId: string) => Promise<boolean>;
  list: (place: ConfigurationPlace) => ReactNode;
  /** The buttons beside the title for users who may change entries, while these are listed. */
  actions: (environmentId: string) => { primary: ReactNode; secondary?: ReactNode };
};

const KIND_ICONS: Record<EntryKind, ReactNode> = {
  "dev-variable": <Braces aria-hidden />,
  "secure-variable": <KeyRound aria-hidden />,
  "secure-certificate": <FileKey2 aria-hidden />,
};

/** The configuration of an environment: its entries of a kind, or another section. */
export async function ConfigurationPage({ isAdmin, ...props }: ConfigurationPageProps) {
  const { kind, title } = props;
  return (
    <WithEnvironment query={props.query} isAdmin={isAdmin} choice={{ title, scopes: [scopeOfKind(kind, "read")] }}>
      {(loaded) => <ConfigurationTab {...props} loaded={loaded} />}
    </WithEnvironment>
  );
}

type ConfigurationTabProps = Omit<ConfigurationPageProps, "isAdmin"> & { loaded: LoadedEnvironment };

async function ConfigurationTab({ kind, query, loaded, ...props }: ConfigurationTabProps) {
  const { isAdmin } = loaded;
  const t = await getTranslations("configuration");
  const { app, environment } = loaded;
  const { scopes, id: environmentId } = environment;
  const canWrite = scopes.includes(scopeOfKind(kind, "write"));
  const canReadHistory = scopes.includes("environment:read");
  const history: Section = {
    key: "history",
    label: t("history.title"),
    icon: <History aria-hidden />,
    content: async () => {
      await props.authorize(environmentId);
      const input = listQuery(configurationVersionsInput, query, { environmentId });
      return (
        <HistoryList
          environmentId={environmentId}
          writableKinds={ENTRY_KINDS.filter((one) => scopes.includes(scopeOfKind(one, "write")))}
          {...(await call(getConfigurationVersions, input))}
        />
      );
    },
  };
  const comparison: Section = {
    key: "environments",
    label: t("comparison.title"),
    icon: <GitCompareArrows aria-hidden />,
    content: async () => {
      await props.authorize(environmentId);
      return <EnvironmentComparison kind={kind} query={query} loaded={loaded} />;
    },
  };
  const sections = [comparison, ...(canReadHistory ? [history] : [])];
  const section = sections.find(({ key }) => key === query.tab);
  const hasActions = canWrite && !section && !(await props.isEmpty(environmentId));
  const actions = hasActions ? props.actions(environmentId) : null;
  const place = { appId: app.id, environmentId };
  const sectionPath = (one: typeof place) => {
    const path = entriesPath(kind, one, isAdmin);
    return section ? `${path}&tab=${section.key}` : path;
  };
  const path = entriesPath(kind, place, isAdmin);
  return (
    <EnvironmentPage
      {...loaded}
      tab="configuration"
      sectionPath={sectionPath}
      inactiveNotice={props.inactiveNotice}
      secondary={actions?.secondary}
      action={actions?.primary}
    >
      <LinkTabs
        variant="pills"
        label={t("sections")}
        current={section?.key ?? kind}
        tabs={[
          ...ENTRY_KINDS.filter((one) => scopes.includes(scopeOfKind(one, "read"))).map((one) => ({
            key: one,
            label: t(`kinds.${one}`),
            href: entriesPath(one, place, isAdmin),
            icon: KIND_ICONS[one],
          })),
          ...sections.map(({ key, label, icon }) => ({ key, label, href: `${path}&tab=${key}`, icon })),
        ]}
      />
      {await (section?.content ?? props.list)({ ...place, canWrite, canUndo: canReadHistory })}
    </EnvironmentPage>
  );
}
