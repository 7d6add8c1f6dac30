"use client";

import { ArrowUpFromLine, Braces, FileKey2, KeyRound, Layers, Share2, UserCog } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { releaseName } from "@/components/common/releases/release-name";
import type { PaletteEntry, SearchFunction } from "@/components/common/shell/types";
import { Avatar } from "@/components/ui/avatar";
import { query } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { appPath, PAGES, pagePath, releasePath } from "@/lib/kernel/navigation/pages";
import { dialogPath } from "@/lib/kernel/navigation/requested-dialog";
import { tokenAction, uploadAction } from "./palette-entries";
import { configurationPaths, entriesPath, environmentStartPath } from "./paths";
import { pagesInSearch } from "./place-pages";

/** Up to this number of found environments, their pages are listed too. */
const MAX_EXPANDED_ENVIRONMENTS = 2;

const CONFIGURATION_ICONS = {
  development: <Braces aria-hidden />,
  secure: <KeyRound aria-hidden />,
  certificates: <FileKey2 aria-hidden />,
} as const;

type ConfigurationPage = keyof typeof CONFIGURATION_ICONS;
const CONFIGURATION_PAGES = Object.keys(CONFIGURATION_ICONS) as ConfigurationPage[];

type Found = OperationOutput<"apps/search-console">;
type FoundEnvironment = Found["environments"][number];
type FoundRelease = Found["releases"][number];

/**
 * The search of the command palette: applications, environments and the pages of their configuration, the keys of variables,
 * releases and, for administrators, users and roles; and the actions that a search such as "share newest staging iOS" names.
 */
export function useConsoleSearch(isAdmin: boolean): SearchFunction {
  const t = useTranslations("nav.actions");
  const variables = useTranslations("variables.title");
  const certificates = useTranslations("certificates");
  return useCallback(
    async (search, signal) => {
      const pageLabels: Record<ConfigurationPage, string> = {
        development: variables("dev-variable"),
        secure: variables("secure-variable"),
        certificates: certificates("title"),
      };
      const labels = {
        ...pageLabels,
        upload: t("keywords.upload"),
        promote: t("keywords.promote"),
        share: t("keywords.share"),
        token: t("keywords.token"),
      };
      const { pages: named, place } = pagesInSearch(search, labels);
      const input = { search, ...(named.length > 0 && { place }) };
      const found = await query("apps/search-console", input, { signal });

      const names = (page: keyof typeof labels) => named.includes(page);
      const pages = CONFIGURATION_PAGES.filter(names);
      const expanded =
        named.length === 0 && found.environments.length <= MAX_EXPANDED_ENVIRONMENTS ? CONFIGURATION_PAGES : pages;
      const environments = found.environments.map((environment) => ({
        environment,
        action: {
          place: { appId: environment.app.id, environmentId: environment.id },
          environment: environment.name,
          app: environment.app.name,
        },
      }));
      return [
        ...(named.length === 0 || names("share") ? found.latest.map((release) => shareAction(t, release)) : []),
        ...(names("promote") ? found.latest.map((release) => promoteAction(t, release)) : []),
        ...environments
          .filter(({ environment }) => names("upload") && environment.scopes.includes("release:create"))
          .map(({ action }) => uploadAction(t, { ...action, isAdmin })),
        ...(isAdmin && names("token") ? environments.map(({ action }) => tokenAction(t, action)) : []),
        ...found.apps.map(
          (app): PaletteEntry => ({
            id: `app:${app.id}`,
            group: "apps",
            label: app.name,
            description: app.identifier,
            icon: <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-5.5 text-[0.625rem]" />,
            href: appPath(app.id, isAdmin),
          }),
        ),
        ...found.environments.map((environment) => environmentEntry(environment, isAdmin)),
        ...found.environments.flatMap((environment) =>
          configurationEntries(environment, expanded, pageLabels, isAdmin),
        ),
        ...found.variables.map((variable) => variableEntry(variable, isAdmin)),
        ...found.releases.map(releaseEntry),
        ...found.users.map(
          (user): PaletteEntry => ({
            id: `user:${user.id}`,
            group: "users",
            label: user.name,
            description: user.email,
            icon: <Avatar name={user.name} src={user.avatarUrl} className="size-5.5 text-[0.625rem]" />,
            href: pagePath(PAGES.adminUsers, { search: user.email }),
          }),
        ),
        ...found.roles.flatMap(({ id, name }): PaletteEntry[] => [
          {
            id: `role:${id}`,
            group: "roles",
            label: name,
            icon: <UserCog aria-hidden />,
            href: pagePath(PAGES.adminRoles, { search: name }),
          },
          {
            id: `permissions:${id}`,
            group: "roles",
            label: t("permissionsOf", { role: name }),
            icon: <UserCog aria-hidden />,
            href: pagePath(PAGES.adminPermissions, { search: name }),
          },
        ]),
      ];
    },
    [isAdmin, t, variables, certificates],
  );
}

function environmentEntry(environment: FoundEnvironment, isAdmin: boolean): PaletteEntry {
  return {
    id: `environment:${environment.id}`,
    group: "environments",
    label: environment.name,
    description: environment.app.name,
    icon: <Layers aria-hidden />,
    href: environmentStartPath(environment.app.id, environment, isAdmin),
  };
}

/** The pages of an environment's configuration that the user can open. */
function configurationEntries(
  environment: FoundEnvironment,
  pages: readonly ConfigurationPage[],
  labels: Readonly<Record<ConfigurationPage, string>>,
  isAdmin: boolean,
): PaletteEntry[] {
  const paths = configurationPaths(environment.app.id, environment, isAdmin);
  return pages.flatMap((page) => {
    const href = paths[page];
    if (href === null) return [];
    return [
      {
        id: `${page}:${environment.id}`,
        group: "configuration",
        label: labels[page],
        description: placeOf(environment.app, environment),
        icon: CONFIGURATION_ICONS[page],
        href,
      },
    ];
  });
}

/** Opens the list of the variable's environment, searched for its key. */
function variableEntry(variable: Found["variables"][number], isAdmin: boolean): PaletteEntry {
  const { id, kind, key, name, app, environment } = variable;
  const list = entriesPath(kind, { appId: app.id, environmentId: environment.id }, isAdmin);
  return {
    id: `variable:${id}`,
    group: "variables",
    label: key,
    detail: name === key ? undefined : name,
    description: placeOf(app, environment),
    icon: CONFIGURATION_ICONS[kind === "dev-variable" ? "development" : "secure"],
    href: `${list}&search=${encodeURIComponent(key)}`,
  };
}

function releaseEntry(release: FoundRelease): PaletteEntry {
  return {
    id: `release:${release.id}`,
    group: "releases",
    label: releaseName(release),
    detail: release.summary,
    description: `${placeOf(release.app, release.environment)} · ${release.platform.name}`,
    icon: <ReleaseIcon release={release} />,
    href: releasePath(release.id),
  };
}

/** Opens the release with the dialog that shares it. */
function shareAction(t: ReturnType<typeof useTranslations<"nav.actions">>, release: FoundRelease): PaletteEntry {
  const { environment, platform, app } = release;
  return {
    id: `share:${release.id}`,
    group: "actions",
    label: t("shareNewest", { environment: environment.name, platform: platform.name }),
    detail: releaseName(release),
    description: app.name,
    icon: <Share2 aria-hidden />,
    href: dialogPath(releasePath(release.id), "share"),
  };
}

/** Opens the release with the dialog that publishes its build in another environment. */
function promoteAction(t: ReturnType<typeof useTranslations<"nav.actions">>, release: FoundRelease): PaletteEntry {
  const { environment, platform, app } = release;
  return {
    id: `promote:${release.id}`,
    group: "actions",
    label: t("promoteNewest", { environment: environment.name, platform: platform.name }),
    detail: releaseName(release),
    description: app.name,
    icon: <ArrowUpFromLine aria-hidden />,
    href: dialogPath(releasePath(release.id), "promote"),
  };
}

function ReleaseIcon({ release }: { release: FoundRelease }) {
  return (
    <Avatar shape="square" name={release.displayName} src={release.iconUrl} className="size-5.5 text-[0.625rem]" />
  );
}

const placeOf = (app: { name: string }, environment: { name: string }) => `${app.name} › ${environment.name}`;
