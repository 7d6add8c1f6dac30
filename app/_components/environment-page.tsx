import { Cable, PackageOpen, Settings2, SlidersHorizontal, UsersRound } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { appCrumbs } from "@/components/common/navigation/environment-crumbs";
import { LinkTabs } from "@/components/common/navigation/link-tabs";
import {
  ENVIRONMENT_TABS,
  type EnvironmentTab,
  environmentPath,
  environmentTabPath,
} from "@/components/common/navigation/paths";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { EnvironmentSwitcher } from "@/components/environments/environment-switcher";
import { FeedbackLink } from "@/components/feedback/feedback-link";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import type { OutputOf } from "@/lib/api/operation";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { ChooseEnvironment, type ChooseEnvironmentProps } from "./choose-environment";
import { RecordPage } from "./record-page";

/** The environment that a page's query names, with its application and the other environments there. */
export type LoadedEnvironment = {
  app: OutputOf<typeof getApp>;
  environment: OutputOf<typeof getAuthorizedEnvironmentsByApp>["items"][number];
  /** The environments of the application that the user has access to, by name. */
  environments: OutputOf<typeof getAuthorizedEnvironmentsByApp>["items"];
  isAdmin: boolean;
};

export type WithEnvironmentProps = {
  query: SearchParams;
  isAdmin: boolean;
  /** What to choose an environment for, if the query names none. */
  choice: Pick<ChooseEnvironmentProps, "title" | "scopes">;
  children: (loaded: LoadedEnvironment) => ReactNode;
};

/** Renders what belongs to the environment that a page's query names, or the environments to choose from if it names none. */
export async function WithEnvironment({ query, isAdmin, choice, children }: WithEnvironmentProps) {
  const { app: appId, environment: environmentId } = query;
  if (typeof appId !== "string" || typeof environmentId !== "string" || !appId || !environmentId) {
    return <ChooseEnvironment query={query} isAdmin={isAdmin} {...choice} />;
  }
  const [app, requested, { items: environments }] = await Promise.all([
    call(getApp, { id: appId }),
    call(getAuthorizedEnvironmentsByApp, { appId, environmentId }),
    call(getAuthorizedEnvironmentsByApp, { appId, limit: MAX_LIMIT }),
  ]);
  const environment = requested.items[0];
  if (!environment) notFound();
  return <RecordPage of={environment.id}>{children({ app, environment, environments, isAdmin })}</RecordPage>;
}

const ICONS = {
  releases: <PackageOpen aria-hidden />,
  configuration: <SlidersHorizontal aria-hidden />,
  connect: <Cable aria-hidden />,
  access: <UsersRound aria-hidden />,
  settings: <Settings2 aria-hidden />,
} as const;

export type EnvironmentPageProps = LoadedEnvironment & {
  tab: EnvironmentTab;
  /** The path of the current section in another environment, if it is not the tab's. */
  sectionPath?: (place: { appId: string; environmentId: string }) => string;
  /** What an inactive environment means in this tab. */
  inactiveNotice?: string;
  action?: ReactNode;
  secondary?: ReactNode;
  children: ReactNode;
};

/** The page of an environment: its head with a switch to the application's other environments, its tabs, and one of them. */
export async function EnvironmentPage({
  app,
  environment,
  environments,
  isAdmin,
  tab,
  sectionPath,
  inactiveNotice,
  action,
  secondary,
  children,
}: EnvironmentPageProps) {
  const [t, nav] = await Promise.all([getTranslations("environments"), getTranslations("nav.pages")]);
  const siblings = environments.map((other) => {
    const place = { appId: app.id, environmentId: other.id };
    const href = sectionPath?.(place) ?? environmentTabPath(tab, other, isAdmin) ?? environmentPath(place, isAdmin);
    return { id: other.id, name: other.name, href };
  });
  const tabs = ENVIRONMENT_TABS.flatMap((key) => {
    const href = environmentTabPath(key, environment, isAdmin);
    return href ? [{ key, label: t(`tabs.${key}`), href, icon: ICONS[key] }] : [];
  });
  return (
    <>
      <PageHeader
        breadcrumbs={appCrumbs(app, isAdmin, { apps: nav("apps"), home: nav("home") })}
        crumb={<EnvironmentSwitcher environments={siblings} current={environment} />}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />}
        title={
          <>
            <span className="font-normal text-muted-foreground">{app.name} /</span> {environment.name}
          </>
        }
        badge={
          <>
            {siblings.length > 1 && (
              // Phones have no breadcrumbs.
              <EnvironmentSwitcher
                environments={siblings}
                current={environment}
                iconOnly
                className="-mx-2 -my-2 lg:hidden"
              />
            )}
            {environment.status === "inactive" && <StatusBadge status={environment.status} />}
          </>
        }
        secondary={
          <>
            {environment.scopes.includes("release:read") && (
              <FeedbackLink appId={app.id} environmentId={environment.id} />
            )}
            {secondary}
          </>
        }
        action={action}
      />
      {environment.status === "inactive" && <Alert tone="warning">{inactiveNotice ?? t("inactiveNotice")}</Alert>}
      {app.status === "inactive" && <Alert tone="warning">{t("inactiveApp", { app: app.name })}</Alert>}
      {tabs.length > 1 && <LinkTabs label={t("sections")} current={tab} tabs={tabs} />}
      {children}
    </>
  );
}
