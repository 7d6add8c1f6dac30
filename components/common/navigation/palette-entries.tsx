"use client";

import {
  BookOpen,
  Boxes,
  CircleHelp,
  KeyRound,
  Languages,
  Layers,
  LogOut,
  Monitor,
  Moon,
  ShieldCheck,
  Smartphone,
  Sun,
  Upload,
  UserCog,
  UserRound,
  UserRoundPlus,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import type { ReactNode } from "react";
import { AppIcon } from "@/components/common/shell/app-icon";
import { usePagePlace } from "@/components/common/shell/page-place";
import type { PaletteEntry, ShellApp } from "@/components/common/shell/types";
import { useChooseLocale } from "@/components/common/use-choose-locale";
import { LOCALE_NAMES, LOCALES } from "@/lib/kernel/i18n/locales";
import { PAGES, type PagePath, pagePath, TOKENS_PATH } from "@/lib/kernel/navigation/pages";
import { dialogPath, type RequestedDialog } from "@/lib/kernel/navigation/requested-dialog";
import { destinationsByGroup } from "./navigation";
import { environmentPath } from "./paths";

type PaletteContext = {
  isAdmin: boolean;
  apps: readonly ShellApp[];
  onSignOut: () => void;
};

/** What the command palette finds without the server, as far as the user's rights reach. */
export function usePaletteEntries({ isAdmin, apps, onSignOut }: PaletteContext): PaletteEntry[] {
  return [
    ...usePages(isAdmin),
    ...usePlaceActions(isAdmin, apps),
    ...useAdditions(isAdmin),
    ...usePersonalActions(onSignOut),
    ...usePlaces(apps),
  ];
}

/** The pages of the navigation, the settings' and the profile's tabs. */
function usePages(isAdmin: boolean): PaletteEntry[] {
  const pages = useTranslations("nav.pages");
  const settings = useTranslations("appConfig.tabs");
  const profile = useTranslations("profile.tabs");
  const account = useTranslations("shell.account");
  const tab = (page: PagePath, key: string, label: string, icon: ReactNode, parent: string): PaletteEntry => ({
    id: `page:${page}:${key}`,
    group: "goTo",
    label,
    description: parent,
    icon,
    href: pagePath(page, { tab: key }),
  });
  const destinations = destinationsByGroup(isAdmin).flatMap((group) => group.destinations);
  return [
    ...destinations.map(({ key, href, icon: Icon }) => ({
      id: `page:${key}`,
      group: "goTo" as const,
      label: pages(key),
      icon: <Icon aria-hidden />,
      href,
      suggested: true,
    })),
    {
      id: "page:profile",
      group: "goTo",
      label: profile("profile"),
      icon: <UserRound aria-hidden />,
      href: PAGES.profile,
    },
    { id: "page:docs", group: "goTo", label: account("docs"), icon: <CircleHelp aria-hidden />, href: PAGES.docs },
    {
      id: "page:api-reference",
      group: "goTo",
      label: account("apiReference"),
      icon: <BookOpen aria-hidden />,
      href: PAGES.apiReference,
    },
    tab(PAGES.profile, "passkeys", profile("passkeys"), <KeyRound aria-hidden />, profile("profile")),
    tab(PAGES.profile, "two-factor", profile("twoFactor"), <ShieldCheck aria-hidden />, profile("profile")),
    ...(isAdmin
      ? [
          tab(
            PAGES.adminSettings,
            "enable-sso",
            settings("enableSso"),
            <ShieldCheck aria-hidden />,
            pages("appConfig"),
          ),
          tab(
            PAGES.adminSettings,
            "configure-sso",
            settings("configureSso"),
            <ShieldCheck aria-hidden />,
            pages("appConfig"),
          ),
          tab(PAGES.adminSettings, "api-tokens", settings("apiTokens"), <KeyRound aria-hidden />, pages("appConfig")),
          tab(PAGES.adminSettings, "license", settings("license"), <ShieldCheck aria-hidden />, pages("appConfig")),
        ]
      : []),
  ];
}

/** The actions in the environments of the current application, or of all applications that the shell knows. */
function usePlaceActions(isAdmin: boolean, apps: readonly ShellApp[]): PaletteEntry[] {
  const t = useTranslations("nav.actions");
  const { appId, environmentId } = usePagePlace();
  return apps.flatMap((app) =>
    app.environments
      .filter(({ canPublish }) => canPublish)
      .flatMap(({ id, name }) => {
        const place = { appId: app.id, environmentId: id };
        const suggested = app.id === appId && (environmentId === null || environmentId === id);
        return [
          uploadAction(t, { place, environment: name, app: app.name, isAdmin, suggested }),
          ...(isAdmin ? [tokenAction(t, { place, environment: name, app: app.name })] : []),
        ];
      }),
  );
}

type ActionTexts = ReturnType<typeof useTranslations<"nav.actions">>;

type ActionPlace = {
  place: { appId: string; environmentId: string };
  environment: string;
  app: string;
};

/** Uploads a release to an environment. */
export function uploadAction(
  t: ActionTexts,
  { place, environment, app, isAdmin, suggested }: ActionPlace & { isAdmin: boolean; suggested?: boolean },
): PaletteEntry {
  return {
    id: `upload:${place.environmentId}`,
    group: "actions",
    label: t("uploadTo", { environment }),
    description: app,
    keywords: `${app} ${t("keywords.upload")}`,
    icon: <Upload aria-hidden />,
    href: dialogPath(environmentPath(place, isAdmin), "upload"),
    suggested,
  };
}

/** Creates an API token for an environment. */
export function tokenAction(t: ActionTexts, { place, environment, app }: ActionPlace): PaletteEntry {
  return {
    id: `token:${place.environmentId}`,
    group: "actions",
    label: t("tokenFor", { environment }),
    description: app,
    keywords: `${app} ${t("keywords.token")}`,
    icon: <KeyRound aria-hidden />,
    href: dialogPath(environmentPath(place, true, "connect"), "create-token"),
  };
}

/** The additions of administrators. */
function useAdditions(isAdmin: boolean): PaletteEntry[] {
  const t = useTranslations();
  if (!isAdmin) return [];
  const add = (dialog: RequestedDialog, label: string, icon: ReactNode, path: string): PaletteEntry => ({
    id: `add:${dialog}`,
    group: "actions",
    label,
    keywords: t("nav.actions.keywords.add"),
    icon,
    href: dialogPath(path, dialog),
  });
  return [
    add("create-app", t("apps.create"), <Boxes aria-hidden />, PAGES.adminApps),
    add("invite", t("invite.title"), <UserRoundPlus aria-hidden />, PAGES.adminUsers),
    add("upload", t("upload.action"), <Upload aria-hidden />, PAGES.adminDashboard),
    add("create-role", t("roles.create"), <UserCog aria-hidden />, PAGES.adminRoles),
    add("create-permission", t("permissions.create"), <ShieldCheck aria-hidden />, PAGES.adminPermissions),
    add("create-platform", t("platforms.create"), <Smartphone aria-hidden />, PAGES.adminPlatforms),
    add("create-token", t("apiTokens.create"), <KeyRound aria-hidden />, TOKENS_PATH),
  ];
}

const THEMES = [
  { theme: "light", icon: <Sun aria-hidden /> },
  { theme: "dark", icon: <Moon aria-hidden /> },
  { theme: "system", icon: <Monitor aria-hidden /> },
] as const;

/** Theme, language and the end of the session. */
function usePersonalActions(onSignOut: () => void): PaletteEntry[] {
  const t = useTranslations();
  const { setTheme } = useTheme();
  const chooseLocale = useChooseLocale();
  return [
    ...THEMES.map(({ theme, icon }) => ({
      id: `theme:${theme}`,
      group: "actions" as const,
      label: `${t("common.theme.label")}: ${t(`common.theme.${theme}`)}`,
      keywords: theme,
      icon,
      onRun: () => setTheme(theme),
    })),
    ...LOCALES.map((locale) => ({
      id: `locale:${locale}`,
      group: "actions" as const,
      label: `${t("locale.label")}: ${LOCALE_NAMES[locale]}`,
      keywords: `language ${locale}`,
      icon: <Languages aria-hidden />,
      onRun: () => chooseLocale(locale),
    })),
    {
      id: "sign-out",
      group: "actions",
      label: t("shell.account.signOut"),
      keywords: "sign out logout",
      icon: <LogOut aria-hidden />,
      onRun: onSignOut,
    },
  ];
}

/** The applications and environments of the shell. */
function usePlaces(apps: readonly ShellApp[]): PaletteEntry[] {
  return apps.flatMap((app): PaletteEntry[] => [
    { id: `app:${app.id}`, group: "apps", label: app.name, icon: <AppIcon app={app} />, href: app.href },
    ...app.environments.map(
      ({ id, name, href }): PaletteEntry => ({
        id: `environment:${id}`,
        group: "environments",
        label: name,
        description: app.name,
        keywords: app.name,
        icon: <Layers aria-hidden />,
        href,
      }),
    ),
  ]);
}
