import type { ReactNode } from "react";
import { HoverLink } from "@/components/common/hover-link";
import { cn } from "@/components/ui/cn";

export type LinkTab = { key: string; label: string; href: string; icon?: ReactNode };

export type LinkTabsProps = {
  /** What the tabs belong to. */
  label: string;
  tabs: readonly LinkTab[];
  /** The key of the current tab. */
  current: string;
};

/** The sections of a page as links with their own URLs; only the current section is loaded. */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className="flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4"
    >
      {tabs.map((tab) => (
        <HoverLink
          key={tab.key}
          href={tab.href}
          aria-current={tab.key === current ? "page" : undefined}
          className={cn(
            "relative inline-flex h-11 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-t-md px-3 font-medium text-sm transition-colors lg:h-9",
            "text-muted-foreground hover:text-foreground focus-visible:outline-offset-[-2px] [&_svg]:size-4 [&_svg]:shrink-0",
            "after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full",
            // If the tabs do not all fit, the current one is scrolled into view.
            "aria-[current=page]:[scroll-initial-target:nearest]",
            "aria-[current=page]:text-foreground aria-[current=page]:after:bg-primary",
          )}
        >
          {tab.icon}
          {tab.label}
        </HoverLink>
      ))}
    </nav>
  );
}
