"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { useSignOut } from "@/components/common/session/use-sign-out";
import { AppShell } from "@/components/common/shell/app-shell";
import { useShellNavigation } from "@/components/common/shell/shell-navigation";
import type { ShellBrand, ShellSession } from "@/components/common/shell/types";
import type { NavigationApp } from "@/lib/features/navigation/schema";
import { PAGES, startPath } from "@/lib/kernel/navigation/pages";
import { destinationsByGroup } from "./navigation";
import { useShellApps } from "./use-shell-apps";

// Loaded when the page is idle or it is opened, not with the first page.
const loadPalette = () => import("./console-palette").then((module) => module.ConsolePalette);
const ConsolePalette = lazyDialog(loadPalette);

export type ConsoleFrameProps = {
  session: ShellSession;
  brand: ShellBrand;
  /** The applications to switch between. */
  apps: readonly NavigationApp[];
  /** Whether there are more applications than `apps`. */
  hasMoreApps: boolean;
  defaultCollapsed: boolean;
  defaultAdministerFolded: boolean;
  /** A notice above every page. */
  banner?: ReactNode;
  children: ReactNode;
};

/** The shell with the product's navigation, search and sign-out. */
export function ConsoleFrame({
  session,
  brand,
  apps,
  hasMoreApps,
  defaultCollapsed,
  defaultAdministerFolded,
  banner,
  children,
}: ConsoleFrameProps) {
  const t = useTranslations("nav.pages");
  const { isAdmin } = session;
  const { signOut } = useSignOut();
  const switcher = useShellApps({ apps, hasMoreApps, isAdmin });

  const groups = useMemo(
    () =>
      destinationsByGroup(isAdmin).map(({ key, destinations }) => ({
        key,
        items: destinations.map(({ key: page, href, icon: Icon, paths, paletteOnly }) => ({
          key: page,
          label: t(page),
          href,
          icon: <Icon aria-hidden />,
          paths,
          paletteOnly,
        })),
      })),
    [isAdmin, t],
  );

  const homeHref = startPath(isAdmin);
  const navigation = useShellNavigation({
    brand,
    homeHref,
    groups,
    switcher,
    allAppsHref: isAdmin ? PAGES.adminApps : PAGES.home,
    defaultCollapsed,
    defaultAdministerFolded,
  });

  return (
    <AppShell
      session={session}
      brand={brand}
      homeHref={homeHref}
      profileHref={PAGES.profile}
      navigation={navigation}
      onSignOut={signOut}
      onIdle={loadPalette}
      palette={(dialog) => <ConsolePalette {...dialog} isAdmin={isAdmin} apps={switcher.apps} onSignOut={signOut} />}
      banner={banner}
    >
      {children}
    </AppShell>
  );
}
