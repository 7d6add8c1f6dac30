"use client";

import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

export type FilterButtonProps = ComponentProps<typeof Button> & {
  label: string;
  /** The label of the selected value; null if the filter is not active. */
  chosen: string | null;
};

/** The button of a filter. */
export function FilterButton({ label, chosen, ...props }: FilterButtonProps) {
  return (
    <Button variant="secondary" className={cn(chosen === null && "border-dashed")} {...props}>
      <span className={cn(chosen !== null && "text-muted-foreground")}>{label}</span>
      {chosen !== null && <span className="max-w-40 truncate">{chosen}</span>}
      <ChevronDown aria-hidden className="-mr-0.5 size-3.5 text-muted-foreground" />
    </Button>
  );
}
