"use client";

import { Progress as ProgressPrimitive } from "radix-ui";
import { cn } from "./cn";

export type ProgressProps = {
  /** Percent, 0 to 100; `null` if unknown. */
  value: number | null;
  /** What is in progress, for assistive technology. */
  label: string;
};

/** A progress bar. */
export function Progress({ value, label }: ProgressProps) {
  return (
    <ProgressPrimitive.Root
      data-slot="progress"
      value={value}
      aria-label={label}
      className="relative h-1.5 w-full overflow-hidden rounded-full bg-accent"
    >
      <ProgressPrimitive.Indicator
        className={cn("h-full rounded-full bg-primary transition-[width]", value === null && "animate-pulse")}
        style={{ width: `${value ?? 100}%` }}
      />
    </ProgressPrimitive.Root>
  );
}
