import { ChevronRight } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** The breadcrumbs of the page; name it with `aria-label`. */
export function Breadcrumb({ className, ...props }: ComponentProps<"nav">) {
  return <nav data-slot="breadcrumb" className={cn("min-w-0", className)} {...props} />;
}

export function BreadcrumbList({ className, ...props }: ComponentProps<"ol">) {
  return (
    <ol
      data-slot="breadcrumb-list"
      className={cn("flex min-w-0 items-center gap-1 text-muted-foreground text-sm", className)}
      {...props}
    />
  );
}

export function BreadcrumbItem({ className, ...props }: ComponentProps<"li">) {
  return (
    <li
      data-slot="breadcrumb-item"
      className={cn("inline-flex min-w-0 items-center gap-1 last:text-foreground", className)}
      {...props}
    />
  );
}

export function BreadcrumbSeparator() {
  return <ChevronRight aria-hidden data-slot="breadcrumb-separator" className="size-3.5 shrink-0 opacity-60" />;
}
