import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { PlotColumns } from "./plot-columns";
import { PlotRows } from "./plot-rows";
import { PLOT_SWATCHES, type PlotCategory, type PlotSeries, sumAt } from "./plot-series";
import { PlotTable } from "./plot-table";

export interface PlotProps {
  title: string;
  /** What the numbers are of, such as the period. */
  description?: string;
  /** The one number that the plot is looked at for. */
  headline?: ReactNode;
  /** Bars side by side, with an axis, for many categories that have an order; or one below the other, with their numbers, for names. */
  shape: "columns" | "rows";
  categories: readonly PlotCategory[];
  /** What a category is, for the table. */
  categoryLabel: string;
  /** Stacked, the first one at the bottom or at the left. */
  series: readonly PlotSeries[];
  /** Writes a number with its unit. */
  format: (value: number) => string;
  /** What is said instead of a plot without numbers; by default that there is nothing in this period. */
  nothing?: string;
  /** The first category that is drawn, if nothing happened in those before it; the table has all. */
  drawnFrom?: number;
  /** Whether the page itself has a table with these numbers. */
  hasTable?: boolean;
}

/**
 * Numbers as bars, drawn on the server without code in the browser. The drawing is for the eye; screen readers get a table with every
 * number.
 */
export function Plot({
  title,
  description,
  headline,
  shape,
  nothing,
  drawnFrom = 0,
  hasTable = false,
  ...data
}: PlotProps) {
  const t = useTranslations("plots");
  const { categories, series } = data;
  const drawn = {
    ...data,
    categories: categories.slice(drawnFrom),
    series: series.map((one) => ({ ...one, values: one.values.slice(drawnFrom) })),
  };
  const isEmpty = categories.every((_, index) => sumAt(series, index) === 0);
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-col">
          <span className="font-medium">{title}</span>
          {description && <span className="text-pretty text-muted-foreground text-xs leading-4.5">{description}</span>}
        </span>
        {headline && <span className="font-semibold text-lg tabular-nums leading-6 tracking-tight">{headline}</span>}
      </figcaption>
      {isEmpty ? (
        <p className="text-muted-foreground text-xs leading-4.5">{nothing ?? t("nothing")}</p>
      ) : (
        <>
          {series.length > 1 && (
            <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-xs leading-4.5">
              {series.map(({ key, label, tone }) => (
                <li key={key} className="flex items-center gap-1.5">
                  <span className={cn("size-2.5 rounded-xs", PLOT_SWATCHES[tone])} />
                  {label}
                </li>
              ))}
            </ul>
          )}
          {shape === "columns" ? <PlotColumns title={title} {...drawn} /> : <PlotRows {...drawn} />}
        </>
      )}
      {!hasTable && <PlotTable caption={description ? `${title}. ${description}` : title} {...data} />}
    </figure>
  );
}
