import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export type DisclosureProps = {
  summary: ReactNode;
  defaultOpen?: boolean;
  /** Whether it is unfolded on desktops, without a summary. */
  openOnDesktop?: boolean;
  className?: string;
  children: ReactNode;
};

/** Content that is folded until its summary is pressed; works before the page's scripts are there. */
export function Disclosure({ summary, defaultOpen, openOnDesktop = false, className, children }: DisclosureProps) {
  return (
    <details
      open={defaultOpen}
      data-open-on-desktop={openOnDesktop || undefined}
      className={cn("group/disclosure min-w-0", className)}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 rounded-sm font-medium text-muted-foreground hover:text-foreground lg:min-h-7 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 transition-transform group-open/disclosure:rotate-90 rtl:-scale-x-100"
        />
        {summary}
      </summary>
      {children}
    </details>
  );
}
