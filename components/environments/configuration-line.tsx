import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { HoverLink } from "@/components/common/hover-link";

export type ConfigurationLineProps = {
  href: string;
  icon: ReactNode;
  title: string;
  /** The accessible name, where the title is not unique on the page. */
  label?: string;
};

/** A link to a part of an environment's configuration. */
export function ConfigurationLine({ href, icon, title, label }: ConfigurationLineProps) {
  return (
    <HoverLink
      href={href}
      aria-label={label}
      className="-mx-2 flex min-h-11 min-w-0 items-center gap-3 rounded-md px-2 py-2 hover:bg-muted"
    >
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-lg border border-border text-muted-foreground [&>svg]:size-4"
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1 break-words font-medium">{title}</span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </HoverLink>
  );
}
