import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A keyboard key. */
export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        "inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-border bg-muted px-1 font-medium font-sans text-[0.6875rem] text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}
