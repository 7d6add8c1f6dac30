import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export type Fact = { label: string; value: ReactNode };

export type FactsProps = {
  items: Fact[];
  /** Puts values below their names on phones, for long values. */
  long?: boolean;
  /** Uses two compact columns where there is room for them. The parent is a container (`@container`). */
  columns?: boolean;
  className?: string;
};

/** Names and values as a description list. */
export function Facts({ items, long = false, columns = false, className }: FactsProps) {
  return (
    <dl
      data-slot="facts"
      className={cn("divide-y divide-border", columns && "@xl:columns-2 @xl:gap-x-10 @xl:divide-y-0", className)}
    >
      {items.map(({ label, value }) => (
        <div
          key={label}
          className={cn(
            "grid grid-cols-[minmax(7rem,2fr)_minmax(0,3fr)] gap-x-4 py-2 first:pt-0 last:pb-0",
            long && "max-sm:grid-cols-1",
            columns && "@xl:grid-cols-[7.5rem_minmax(0,1fr)] @xl:break-inside-avoid @xl:py-1.5!",
          )}
        >
          <dt className="min-w-0 hyphens-auto break-words text-muted-foreground">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
