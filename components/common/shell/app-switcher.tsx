"use client";

import { ChevronsUpDown, LayoutGrid } from "lucide-react";
import { useTranslations } from "next-intl";
import { lazyOverlay, OnDemand } from "@/components/common/on-demand";
import { cn } from "@/components/ui/cn";
import { AppIcon } from "./app-icon";
import type { AppSwitcherListProps } from "./app-switcher-list";
import type { ShellApp, ShellApps } from "./types";

// Loaded when the button is hovered or focused, not with the first page.
const list = lazyOverlay<AppSwitcherListProps>(() =>
  import("./app-switcher-list").then((module) => module.AppSwitcherList),
);

export type AppSwitcherProps = Pick<ShellApps, "apps" | "search"> & {
  current: ShellApp | null;
  /** The list of all applications. */
  allHref: string;
  collapsed?: boolean;
  onNavigate?: () => void;
};

/** Shows the application that the page belongs to, and opens a searchable list of the others. */
export function AppSwitcher({ apps, search, current, allHref, collapsed = false, onNavigate }: AppSwitcherProps) {
  const t = useTranslations("shell.appSwitcher");
  return (
    <OnDemand
      overlay={list}
      popup="dialog"
      overlayProps={{ apps, search, currentId: current?.id ?? null, allHref, onNavigate }}
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
