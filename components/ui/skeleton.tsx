import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A gray placeholder for content that is loading. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div data-slot="skeleton" aria-hidden className={cn("animate-pulse rounded-md bg-accent", className)} {...props} />
  );
}
