import { useTranslations } from "next-intl";
import type { PlotProps } from "./plot";
import { PLOT_FILLS, sumAt } from "./plot-series";

/** Pixels. */
const HEIGHT = 12;

type PlotRowsProps = Pick<PlotProps, "categories" | "series" | "format">;

/** Bars one below the other, each as long as its share of the longest one, with its name and number above it. */
export function PlotRows({ categories, series, format }: PlotRowsProps) {
  const t = useTranslations("plots");
  const highest = Math.max(1, ...categories.map((_, index) => sumAt(series, index)));
  return (
    <ul aria-hidden className="flex flex-col gap-3">
      {categories.map(({ key, label, longLabel }, index) => {
        let left = 0;
        return (
          <li key={key} className="flex min-w-0 flex-col gap-1">
            <span className="flex items-baseline justify-between gap-4 leading-5">
              <span title={label} className="min-w-0 truncate">
                {label}
              </span>
              <span className="shrink-0 tabular-nums">{format(sumAt(series, index))}</span>
            </span>
            <svg aria-hidden width="100%" height={HEIGHT}>
              <rect width="100%" height={HEIGHT} rx="3" className="fill-muted" />
              {series.map((one) => {
                const count = one.values[index] ?? 0;
                const x = left;
                left += (100 * count) / highest;
                return (
                  count > 0 && (
                    <rect
                      key={one.key}
                      x={`${x}%`}
                      width={`${left - x}%`}
                      height={HEIGHT}
                      // A line between two parts, so that they are told apart without their colors.
                      className={`${PLOT_FILLS[one.tone]} stroke-card`}
                    >
                      <title>
                        {t("bar", { category: longLabel ?? label, value: format(count), label: one.label })}
                      </title>
                    </rect>
                  )
                );
              })}
            </svg>
          </li>
        );
      })}
    </ul>
  );
}
