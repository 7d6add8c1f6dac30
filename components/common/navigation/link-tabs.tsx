import type { ReactNode } from "react";
import { HoverLink } from "@/components/common/hover-link";
import { cn } from "@/components/ui/cn";

type LinkTab = { key: string; label: string; href: string; icon?: ReactNode };

export type LinkTabsProps = {
  /** What the tabs belong to. */
  label: string;
  tabs: readonly LinkTab[];
  /** The key of the current tab. */
  current: string;
  /** `pills` for sections within a tab. */
  variant?: "tabs" | "pills";
};

/** The sections of a page as links with their own URLs; only the current section is loaded. */
export function LinkTabs({ label, tabs, current, variant = "tabs" }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className={cn(
        "fade-x flex gap-1 overflow-x-auto [scrollbar-width:none] max-lg:-mx-4 max-lg:scroll-px-4 max-lg:px-4",
        variant === "tabs" && "border-border border-b",
        variant === "pills" && "py-0.5 lg:flex-wrap",
      )}
    >
      {tabs.map((tab) => (
        <HoverLink
          key={tab.key}
          href={tab.href}
          aria-current={tab.key === current ? "page" : undefined}
          className={cn(
            "relative inline-flex h-11 shrink-0 items-center gap-1.5 whitespace-nowrap px-3 font-medium text-sm transition-colors",
            "text-muted-foreground hover:text-foreground focus-visible:outline-offset-[-2px] [&_svg]:size-4 [&_svg]:shrink-0",
            // If the tabs do not all fit, the current one is scrolled into view.
            "aria-[current=page]:text-foreground aria-[current=page]:[scroll-initial-target:nearest]",
            // The first one begins where the page's content begins.
            variant === "tabs" && "first:pl-0 first:after:left-0",
            variant === "tabs" &&
              "rounded-t-md after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-full aria-[current=page]:after:bg-primary lg:h-9",
            variant === "pills" && "rounded-md aria-[current=page]:bg-accent lg:h-8 lg:px-2.5",
          )}
        >
          {tab.icon}
          {tab.label}
        </HoverLink>
      ))}
    </nav>
  );
}
