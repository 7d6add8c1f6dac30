import { Braces, FileKey2, KeyRound, Layers } from "lucide-react";
import type { useTranslations } from "next-intl";
import { fullName } from "@/components/common/full-name";
import type { SearchResult } from "@/components/common/shell/types";
import { Avatar } from "@/components/ui/avatar";
import { query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { appPath, contextPath, PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { configurationPaths } from "./paths";
import { pagesInSearch } from "./place-pages";

/** Number of results of each kind. */
const RESULTS_PER_KIND = 6;

/** Up to this number of found environments, their pages are listed too. */
const MAX_EXPANDED_ENVIRONMENTS = 2;

const ICONS = {
  development: <Braces aria-hidden />,
  secure: <KeyRound aria-hidden />,
  certificates: <FileKey2 aria-hidden />,
} as const;

type ConfigurationPage = keyof typeof ICONS;

const CONFIGURATION_PAGES = Object.keys(ICONS) as ConfigurationPage[];

export type SearchContext = {
  isAdmin: boolean;
  t: ReturnType<typeof useTranslations<"nav.search">>;
  /** The titles of the pages that each environment has. */
  labels: Readonly<Record<ConfigurationPage, string>>;
};

type FoundEnvironment = OperationOutput<"apps/get-authorized-environments">["items"][number];

/**
 * Searches the applications and environments that the user has access to, the configuration of the environments and, for
 * administrators, the users.
 */
export async function searchConsole(
  context: SearchContext,
  search: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const { isAdmin, t } = context;
  const input = { search, limit: RESULTS_PER_KIND };
  const [apps, environments, users] = await Promise.all([
    query(isAdmin ? "apps/get-apps" : "apps/get-authorized-apps", input, { signal }),
    searchEnvironments(context, search, signal),
    isAdmin ? query("auth/get-users", input, { signal }) : { items: [] },
  ]);
  return [
    ...apps.items.map((app) => ({
      id: `app:${app.id}`,
      group: t("apps"),
      label: app.name,
      description: app.identifier,
      icon: <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-5.5 text-[0.625rem]" />,
      href: appPath(app.id, isAdmin),
    })),
    ...environments,
    ...users.items.map((user) => {
      const name = fullName(user);
      return {
        id: `user:${user.id}`,
        group: t("users"),
        label: name,
        description: user.email,
        icon: <Avatar name={name} src={user.avatarUrl} className="size-5.5 text-[0.625rem]" />,
        href: pagePath(PAGES.adminUsers, { search: user.email }),
      };
    }),
  ];
}

/** Environments by their names, and the pages of their configuration that the search names, such as "staging variables". */
async function searchEnvironments(
  context: SearchContext,
  search: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const find = async (words: string) => {
    const input = { search: words, limit: RESULTS_PER_KIND };
    return (await query("apps/get-authorized-environments", input, { signal })).items;
  };
  const { pages, place } = pagesInSearch(search, context.labels);
  const [named, placed] = await Promise.all([find(search), pages.length > 0 ? find(place) : []]);
  const expanded = pages.length === 0 && named.length <= MAX_EXPANDED_ENVIRONMENTS ? named : [];
  return [
    ...named.map((environment) => environmentResult(context, environment)),
    ...placed.flatMap((environment) => configurationResults(context, environment, pages)),
    ...expanded.flatMap((environment) => configurationResults(context, environment, CONFIGURATION_PAGES)),
  ];
}

function environmentResult({ isAdmin, t }: SearchContext, { id, name, app }: FoundEnvironment): SearchResult {
  return {
    id: `environment:${id}`,
    group: t("environments"),
    label: name,
    description: app.name,
    icon: <Layers aria-hidden />,
    href: isAdmin ? contextPath(PAGES.adminEnvironment, app.id, id) : appPath(app.id, false),
  };
}

/** The pages of an environment's configuration that the user can open. */
function configurationResults(
  { isAdmin, t, labels }: SearchContext,
  { app, ...environment }: FoundEnvironment,
  pages: readonly ConfigurationPage[],
): SearchResult[] {
  const paths = configurationPaths(app.id, environment, isAdmin);
  return pages.flatMap((page) => {
    const href = paths[page];
    if (href === null) return [];
    return [
      {
        id: `${page}:${environment.id}`,
        group: t("configuration"),
        label: labels[page],
        description: `${app.name} › ${environment.name}`,
        icon: ICONS[page],
        href,
      },
    ];
  });
}
