"use client";

import { ChevronsUpDown, LayoutGrid } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu, type MenuSection } from "@/components/common/menu";
import { Avatar } from "@/components/ui/avatar";
import { cn } from "@/components/ui/cn";
import { usePagePlace } from "./page-place";
import type { ShellApp } from "./types";

export type AppSwitcherProps = {
  apps: readonly ShellApp[];
  /** The list of all applications. */
  allHref: string;
  collapsed?: boolean;
  onNavigate?: () => void;
};

/** Shows the application that the page belongs to and links to the others. */
export function AppSwitcher({ apps, allHref, collapsed = false, onNavigate }: AppSwitcherProps) {
  const t = useTranslations("shell.appSwitcher");
  const { appId: currentId } = usePagePlace();
  const current = apps.find((app) => app.id === currentId);
  const all: MenuSection = {
    items: [{ label: t("all"), icon: <LayoutGrid aria-hidden />, href: allHref, onSelect: onNavigate }],
  };
  const choices: MenuSection = {
    label: t("label"),
    items: apps.map((app) => ({
      label: app.name,
      icon: <AppIcon app={app} />,
      href: app.href,
      current: app.id === currentId,
      onSelect: onNavigate,
    })),
  };
  return (
    <Menu
      className="max-h-96 w-60"
      sections={apps.length > 0 ? [choices, all] : [all]}
      trigger={
        <button
          type="button"
          aria-label={current ? `${t("label")}: ${current.name}` : t("label")}
          title={current?.name}
          className={cn(
            "flex h-11 w-full items-center gap-2.5 rounded-lg border border-sidebar-border bg-card px-2 text-left transition-colors hover:bg-sidebar-accent data-[state=open]:bg-sidebar-accent lg:h-9",
            collapsed && "justify-center border-transparent bg-transparent px-0",
          )}
        >
          {current ? (
            <AppIcon app={current} />
          ) : (
            <LayoutGrid aria-hidden className="mx-0.75 size-4 shrink-0 text-muted-foreground" />
          )}
          {!collapsed && (
            <>
              <span className={cn("min-w-0 flex-1 truncate font-medium", !current && "text-muted-foreground")}>
                {current?.name ?? t("placeholder")}
              </span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
            </>
          )}
        </button>
      }
    />
  );
}

function AppIcon({ app }: { app: ShellApp }) {
  return <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-5.5 text-[0.625rem]" />;
}
