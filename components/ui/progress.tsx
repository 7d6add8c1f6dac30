"use client";

import { Progress as ProgressPrimitive } from "radix-ui";
import { cn } from "./cn";

export type ProgressProps = {
  /** Percent, 0 to 100; `null` if unknown. */
  value: number | null;
  /** What is in progress, for assistive technology. */
  label: string;
  tone?: "primary" | "success" | "danger";
  className?: string;
};

const tones = { primary: "bg-primary", success: "bg-success", danger: "bg-danger" };

/** A progress bar. */
export function Progress({ value, label, tone = "primary", className }: ProgressProps) {
  return (
    <ProgressPrimitive.Root
      data-slot="progress"
      value={value}
      aria-label={label}
      className={cn("relative h-1.5 w-full overflow-hidden rounded-full bg-accent", className)}
    >
      <ProgressPrimitive.Indicator
        className={cn("h-full rounded-full transition-[width]", tones[tone], value === null && "animate-pulse")}
        style={{ width: `${value ?? 100}%` }}
      />
    </ProgressPrimitive.Root>
  );
}
