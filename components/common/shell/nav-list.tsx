"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type SyntheticEvent, useId, useState } from "react";
import { HoverLink } from "@/components/common/hover-link";
import { usePendingHref } from "@/components/common/pending/pending-store";
import { cn } from "@/components/ui/cn";
import { placeOfHref, type ShownPlace, usePagePlace } from "./page-place";
import type { NavGroup, NavItem } from "./types";

export type NavListProps = {
  groups: readonly NavGroup[];
  /** Shows only the icons. */
  collapsed?: boolean;
  /** Whether only the current page of the administrators' group is shown. */
  administerFolded: boolean;
  onFoldAdminister: (folded: boolean) => void;
  onNavigate?: () => void;
};

/** The groups of the navigation with their links. */
export function NavList({ groups, collapsed = false, administerFolded, onFoldAdminister, onNavigate }: NavListProps) {
  const t = useTranslations("shell.groups");
  const listId = useId();
  const shown = usePagePlace();
  // A pressed link is highlighted before its page is there.
  const pending = usePendingHref();
  const place = pending === null ? shown : placeOfHref(pending);
  // Of an environment, its application and the list of applications, the nearest one is highlighted.
  const nearest = [isCurrentEnvironment, isCurrentOfApp, isCurrent].find((holds) =>
    groups.some(({ items }) => items.some((item) => holds(item, place))),
  );
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => item.visible !== false && !item.paletteOnly) }))
    .filter((group) => group.items.length > 0)
    .map((group) => {
      const canFold = group.key === "administer" && !collapsed;
      const folded = canFold && administerFolded;
      return (
        <div key={group.key} className="flex flex-col gap-0.5">
          <h2
            className={cn(
              "flex h-7 items-center px-2 font-medium text-muted-foreground text-xs",
              canFold && "px-0 max-lg:h-11",
              collapsed && "mx-2 h-3 border-sidebar-border border-b p-0 text-[0px]",
            )}
          >
            {canFold ? (
              <button
                type="button"
                aria-expanded={!folded}
                aria-controls={`${listId}-${group.key}`}
                onClick={() => onFoldAdminister(!folded)}
                className="flex h-full flex-1 items-center justify-between rounded-md px-2 hover:bg-sidebar-accent hover:text-sidebar-accent-foreground focus-visible:outline-offset-[-2px]"
              >
                {t(group.key)}
                <ChevronDown
                  aria-hidden
                  className={cn("size-3.5 transition-transform", folded && "-rotate-90 rtl:rotate-90")}
                />
              </button>
            ) : (
              t(group.key)
            )}
          </h2>
          <ul id={`${listId}-${group.key}`} className={cn("flex flex-col gap-0.5", collapsed && "pt-1")}>
            {group.items
              .filter((item) => !folded || isCurrent(item, place))
              .map((item) => (
                <li key={item.key}>
                  <NavLink
                    item={item}
                    current={isCurrent(item, place)}
                    highlighted={nearest?.(item, place) ?? false}
                    collapsed={collapsed}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
          </ul>
        </div>
      );
    });
}

type NavLinkProps = {
  item: NavItem;
  current: boolean;
  highlighted: boolean;
  collapsed: boolean;
  onNavigate: (() => void) | undefined;
};

function NavLink({ item, current, highlighted, collapsed, onNavigate }: NavLinkProps) {
  // The label beside the icon is positioned by script, because the scrolling list would clip it.
  const [labelTop, setLabelTop] = useState<number | null>(null);
  const showLabel = (event: SyntheticEvent<HTMLElement>) => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setLabelTop(top + height / 2);
  };
  const hideLabel = () => setLabelTop(null);
  return (
    <span
      className="block"
      {...(collapsed && { onMouseEnter: showLabel, onFocus: showLabel, onMouseLeave: hideLabel, onBlur: hideLabel })}
    >
      <HoverLink
        href={item.href}
        onClick={onNavigate}
        aria-current={current ? "page" : undefined}
        className={cn(
          "flex h-11 items-center gap-2.5 rounded-md px-2 font-medium text-sidebar-foreground transition-colors lg:h-8",
          "hover:bg-sidebar-accent hover:text-sidebar-accent-foreground focus-visible:outline-offset-[-2px]",
          "[&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:opacity-80",
          highlighted && "bg-sidebar-accent text-sidebar-accent-foreground [&>svg]:text-link [&>svg]:opacity-100",
          collapsed && "justify-center px-0",
        )}
      >
        {item.icon}
        <span className={cn("truncate", collapsed && "sr-only")}>{item.label}</span>
      </HoverLink>
      {collapsed && labelTop !== null && (
        <span
          aria-hidden
          style={{ top: labelTop }}
          className="fixed left-(--sidebar-width) z-40 ml-1.5 -translate-y-1/2 animate-fade-in whitespace-nowrap rounded-md bg-foreground px-2 py-1 text-background text-xs"
        >
          {item.label}
        </span>
      )}
    </span>
  );
}

function isCurrentEnvironment({ environmentId }: NavItem, place: ShownPlace): boolean {
  return environmentId !== undefined && environmentId === place.environmentId;
}

/** Whether an item is the current page, and belongs to one application. */
function isCurrentOfApp(item: NavItem, place: ShownPlace): boolean {
  return placeOfHref(item.href).appId !== null && isCurrent(item, place);
}

function isCurrent(item: NavItem, place: ShownPlace): boolean {
  if (item.environmentId !== undefined) return isCurrentEnvironment(item, place);
  const { appId, path } = placeOfHref(item.href);
  // A link to a page of an application is current on that page of the same application only.
  if (appId !== null && appId !== place.appId) return false;
  return path === place.path || (item.paths?.includes(place.path) ?? false);
}
