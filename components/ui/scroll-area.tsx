import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A scrolling box with thin native scroll bars. It is reachable by keyboard, so give it an `aria-label`. */
export function ScrollArea({ className, ...props }: ComponentProps<"section">) {
  return (
    <section
      data-slot="scroll-area"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      tabIndex={0}
      className={cn("overflow-auto overscroll-contain [scrollbar-width:thin]", className)}
      {...props}
    />
  );
}
