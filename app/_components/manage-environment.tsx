import { getTranslations } from "next-intl/server";
import { currentTab, type PageTab } from "@/components/common/navigation/tabbed-page";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { EnvironmentAccess } from "./environment-access";
import { EnvironmentConnect } from "./environment-connect";
import { WithEnvironment } from "./environment-page";
import { EnvironmentReleases } from "./environment-releases";
import { EnvironmentSettings } from "./environment-settings";

type Tab = "releases" | "connect" | "access" | "settings";

const TABS: readonly [PageTab<Tab>, ...PageTab<Tab>[]] = [
  { key: "releases", icon: null },
  { key: "connect", tab: "connect", icon: null },
  { key: "access", tab: "access", icon: null },
  { key: "settings", tab: "settings", icon: null },
];

export type ManageEnvironmentProps = { query: SearchParams; isAdmin: boolean };

/** The page of an environment: its releases, or the tab that the query selects. */
export async function ManageEnvironment({ query, isAdmin }: ManageEnvironmentProps) {
  const asked = currentTab(TABS, query.tab);
  // Only administrators see who else has access.
  const tab = asked === "access" && !isAdmin ? "releases" : asked;
  const t = await getTranslations("releases");
  const choice = { title: t("title"), scopes: [tab === "releases" ? "release:read" : "environment:read"] } as const;
  return (
    <WithEnvironment query={query} isAdmin={isAdmin} choice={choice}>
      {(loaded) =>
        tab === "connect" ? (
          <EnvironmentConnect {...loaded} />
        ) : tab === "access" ? (
          <EnvironmentAccess {...loaded} query={query} />
        ) : tab === "settings" ? (
          <EnvironmentSettings {...loaded} />
        ) : (
          <EnvironmentReleases {...loaded} query={query} />
        )
      }
    </WithEnvironment>
  );
}
