import { History } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { LinkTabs } from "@/components/common/navigation/link-tabs";
import { entriesPath } from "@/components/common/navigation/paths";
import { currentTab, type PageTab } from "@/components/common/navigation/tabbed-page";
import { PageHeader } from "@/components/common/page-header";
import { HistoryList } from "@/components/configuration/history-list";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getConfigurationVersions } from "@/lib/features/configuration/operations/get-configuration-versions";
import {
  configurationVersionsInput,
  ENTRY_KINDS,
  type EntryKind,
  scopeOfKind,
} from "@/lib/features/configuration/schema";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { appPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/** The environment that a page shows, and what the user may do with its entries of a kind. */
export type ConfigurationPlace = {
  appId: string;
  environmentId: string;
  canWrite: boolean;
  /** Whether a deletion can be undone; this needs the history. */
  canUndo: boolean;
};

type Section = PageTab<string> & { label: string; content: (place: ConfigurationPlace) => ReactNode };

export type ConfigurationPageProps = {
  kind: EntryKind;
  query: SearchParams;
  isAdmin: boolean;
  title: string;
  description: (names: { app: string; environment: string }) => string;
  inactiveNotice: string;
  /** Runs the query of the page's entries, which leads users who may not read them elsewhere. */
  authorize: (environmentId: string) => Promise<unknown>;
  /** Whether the environment has no entries; the empty list then has the buttons. */
  isEmpty: (environmentId: string) => Promise<boolean>;
  /** The sections before the history; the first one lists the entries. */
  sections: readonly [Section, ...Section[]];
  /** The buttons beside the title for users who may change entries, while these are listed. */
  actions: (environmentId: string) => { primary: ReactNode; secondary?: ReactNode };
};

/** The page of an environment's entries of a kind: its head, its sections and the history. */
export async function ConfigurationPage(props: ConfigurationPageProps) {
  const { kind, query, isAdmin } = props;
  const appId = requireParameter(query, "app", isAdmin ? PAGES.adminApps : PAGES.home);
  const environmentId = requireParameter(query, "environment", appPath(appId, isAdmin));
  const [t, nav, app, environments] = await Promise.all([
    getTranslations("configuration"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
  ]);
  const environment = environments.items[0];
  if (!environment) notFound();
  const { scopes } = environment;
  const canWrite = scopes.includes(scopeOfKind(kind, "write"));
  const canReadHistory = scopes.includes("environment:read");
  const history: Section = {
    key: "history",
    tab: "history",
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
  const [list, ...others] = props.sections;
  const sections: [Section, ...Section[]] = [list, ...others, ...(canReadHistory ? [history] : [])];
  const current = currentTab(sections, query.tab);
  const hasActions = canWrite && current === list.key && !(await props.isEmpty(environmentId));
  const actions = hasActions ? props.actions(environmentId) : null;
  const path = entriesPath(kind, { appId, environmentId }, isAdmin);
  return (
    <>
      <PageHeader
        breadcrumbs={environmentCrumbs({ app, environment }, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />}
        title={props.title}
        description={props.description({ app: app.name, environment: environment.name })}
        secondary={actions?.secondary}
        action={actions?.primary}
      />
      {environment.status === "inactive" && <Alert tone="warning">{props.inactiveNotice}</Alert>}
      {sections.length > 1 && (
        <LinkTabs
          label={t("sections")}
          current={current}
          tabs={sections.map(({ key, tab, label, icon }) => ({
            key,
            label,
            href: tab ? `${path}&tab=${tab}` : path,
            icon,
          }))}
        />
      )}
      {
        await sections
          .find(({ key }) => key === current)
          ?.content({ appId, environmentId, canWrite, canUndo: canReadHistory })
      }
    </>
  );
}
