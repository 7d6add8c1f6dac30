import type { ComponentProps } from "react";
import { cn } from "./cn";

/** The style of all controls. The font size is 16 px on phones, because iOS zooms in on smaller text fields. */
export const controlClassName = cn(
  "w-full min-w-0 text-ellipsis rounded-lg border border-input bg-card text-base text-foreground transition-colors lg:text-sm",
  "placeholder:text-muted-foreground hover:border-muted-foreground",
  "focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-ring/35 focus-visible:outline-offset-0",
  "disabled:cursor-not-allowed disabled:bg-muted disabled:opacity-60",
  "aria-invalid:border-danger aria-invalid:focus-visible:outline-danger/35",
);

/** A single-line text field; also for `type="date"`, the browser's own date picker. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      data-slot="input"
      type={type}
      className={cn(
        controlClassName,
        "h-11 px-3 read-only:bg-muted lg:h-8 lg:px-2.5",
        "file:mr-3 file:border-0 file:bg-transparent file:font-medium file:text-sm",
        className,
      )}
      {...props}
    />
  );
}
