import { getTranslations } from "next-intl/server";
import { currentTab, type PageTab } from "@/components/common/navigation/tabbed-page";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { EnvironmentConnect } from "./environment-connect";
import { WithEnvironment } from "./environment-page";
import { EnvironmentReleases } from "./environment-releases";
import { EnvironmentSettings } from "./environment-settings";

const TABS: readonly [PageTab<"releases">, ...PageTab<"connect" | "settings">[]] = [
  { key: "releases", icon: null },
  { key: "connect", tab: "connect", icon: null },
  { key: "settings", tab: "settings", icon: null },
];

export type ManageEnvironmentProps = { query: SearchParams; isAdmin: boolean };

/** The page of an environment: its releases, or the tab that the query selects. */
export async function ManageEnvironment({ query, isAdmin }: ManageEnvironmentProps) {
  const tab = currentTab<"releases" | "connect" | "settings">(TABS, query.tab);
  const t = await getTranslations("releases");
  const choice = { title: t("title"), scopes: [tab === "releases" ? "release:read" : "environment:read"] } as const;
  return (
    <WithEnvironment query={query} isAdmin={isAdmin} choice={choice}>
      {(loaded) =>
        tab === "connect" ? (
          <EnvironmentConnect {...loaded} />
        ) : tab === "settings" ? (
          <EnvironmentSettings {...loaded} />
        ) : (
          <EnvironmentReleases {...loaded} query={query} />
        )
      }
    </WithEnvironment>
  );
}
