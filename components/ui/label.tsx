import type { ComponentProps } from "react";
import { cn } from "./cn";

/** The visible name of a form control. */
export function Label({ className, ...props }: ComponentProps<"label">) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the caller passes htmlFor or nests the control
    <label
      data-slot="label"
      className={cn(
        "inline-flex items-center gap-1.5 font-medium text-foreground text-sm leading-5 select-none",
        className,
      )}
      {...props}
    />
  );
}
