"use client";

import { AppWindow, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { setCookie } from "@/components/common/set-cookie";
import { useStore } from "@/components/common/store";
import { tourRuns } from "@/components/common/tour/tour-progress";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { APP_PAGES } from "@/lib/kernel/navigation/pages";
import { AppSwitcher } from "./app-switcher";
import { BrandLink } from "./brand-link";
import { NavList } from "./nav-list";
import { ADMINISTER_COOKIE, ADMINISTER_FOLDED, SIDEBAR_COLLAPSED, SIDEBAR_COOKIE } from "./sidebar-state";
import type { NavGroup, ShellApp, ShellApps, ShellBrand, ShellNavigation } from "./types";
import { useCurrentApp } from "./use-current-app";

// Loaded when it is opened for the first time, not with the first page.
const MobileNavigation = lazyDialog(() => import("./mobile-navigation").then((module) => module.MobileNavigation));

type ShellNavigationInput = {
  brand: ShellBrand;
  /** The link of the logo. */
  homeHref: string;
  groups: readonly NavGroup[];
  /** The applications to switch between. */
  switcher: ShellApps;
  /** The list of all applications. */
  allAppsHref: string;
  /** The value of the cookie `SIDEBAR_COOKIE`, so that the first rendering is correct. */
  defaultCollapsed: boolean;
  /** Whether the cookie `ADMINISTER_COOKIE` says that the administrators' group is folded. */
  defaultAdministerFolded: boolean;
};

/** The navigation of the shell: a sidebar, and a sheet on phones. */
export function useShellNavigation(input: ShellNavigationInput): ShellNavigation {
  const { brand, homeHref, switcher, allAppsHref, defaultCollapsed, defaultAdministerFolded } = input;
  const [collapsed, setCollapsed] = useState(defaultCollapsed);
  const [administerFolded, setAdministerFolded] = useState(defaultAdministerFolded);
  const app = useCurrentApp(switcher);
  const environments = useEnvironmentGroup(app);
  const groups = environments ? [environments, ...input.groups] : input.groups;

  const toggleSidebar = () => {
    setCollapsed(!collapsed);
    setCookie(SIDEBAR_COOKIE, collapsed ? "expanded" : SIDEBAR_COLLAPSED);
  };

  const foldAdminister = (folded: boolean) => {
    setAdministerFolded(folded);
    setCookie(ADMINISTER_COOKIE, folded ? ADMINISTER_FOLDED : "open");
  };
  const touring = useStore(tourRuns, (runs) => runs);
  const navList = { groups, administerFolded: administerFolded && !touring, onFoldAdminister: foldAdminister };

  return {
    collapsed,
    sidebar: (
      <Sidebar
        collapsed={collapsed}
        onToggle={toggleSidebar}
        brand={<BrandLink brand={brand} href={homeHref} collapsed={collapsed} />}
        switcher={<AppSwitcher {...switcher} current={app} allHref={allAppsHref} collapsed={collapsed} />}
        navigation={<NavList {...navList} collapsed={collapsed} />}
      />
    ),
    sheet: (dialog) => (
      <MobileNavigation
        {...dialog}
        brand={brand}
        homeHref={homeHref}
        navigation={navList}
        switcher={switcher}
        app={app}
        allAppsHref={allAppsHref}
      />
    ),
  };
}

/** The navigation on the left of desktops. */
function Sidebar(props: {
  collapsed: boolean;
  onToggle: () => void;
  brand: ReactNode;
  switcher: ReactNode;
  navigation: ReactNode;
}) {
  const { collapsed, onToggle, brand, switcher, navigation } = props;
  const t = useTranslations("shell");
  return (
    <aside className="fixed inset-y-0 left-0 z-20 hidden w-(--sidebar-width) flex-col border-sidebar-border border-r bg-sidebar transition-[width] lg:flex">
      <div className={cn("flex h-(--shell-bar-height) shrink-0 items-center px-3", collapsed && "justify-center px-0")}>
        {brand}
      </div>
      <div className="px-2 pb-2">{switcher}</div>
      <nav
        aria-label={t("navigation")}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-2 py-2 [scrollbar-width:thin]"
      >
        {navigation}
      </nav>
      <div className={cn("flex p-2", collapsed && "justify-center")}>
        <Button
          variant="ghost"
          size="icon"
          title={t(collapsed ? "expand" : "collapse")}
          aria-label={t(collapsed ? "expand" : "collapse")}
          aria-expanded={!collapsed}
          onClick={onToggle}
          className="text-muted-foreground hover:bg-sidebar-accent"
        >
          {collapsed ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
        </Button>
      </div>
    </aside>
  );
}

/** The environments of the application as a group of the navigation; null on pages that belong to no application. */
function useEnvironmentGroup(app: ShellApp | null): NavGroup | null {
  const t = useTranslations("shell.appSwitcher");
  if (!app) return null;
  return {
    key: "environments",
    items: [
      { key: "overview", label: t("overview"), href: app.href, icon: <AppWindow aria-hidden />, paths: APP_PAGES },
      ...app.environments.map(({ id, name, href }) => ({
        key: id,
        label: name,
        href,
        icon: <EnvironmentIcon name={name} />,
        environmentId: id,
      })),
    ],
  };
}

/** The first letter of an environment, by which it is told apart in the collapsed sidebar. */
function EnvironmentIcon({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-input font-semibold text-[0.625rem] text-muted-foreground uppercase"
    >
      {[...name][0]}
    </span>
  );
}
