import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlClassName } from "./input";

/** A multi-line text field that grows with its text. */
export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(
        controlClassName,
        "field-sizing-content read-only:bg-muted max-h-80 min-h-20 px-3 py-2 lg:px-2.5 lg:py-1.5",
        className,
      )}
      {...props}
    />
  );
}
