import { useFormatter, useTranslations } from "next-intl";
import type { PlotProps } from "./plot";
import { plotLines } from "./plot-scale";
import { PLOT_FILLS, sumAt } from "./plot-series";

/** Pixels. Widths are percentages, so that the texts keep their size on every screen. */
const HEIGHT = 132;
const TOP = 10;
/** Labels of the axis. */
const LABELS = 3;
/** The share of its width that a bar has. */
const BAR = 0.68;
/** Pixels between the parts of a bar, so that they are told apart without their colors. */
const GAP = 1;

type PlotColumnsProps = Pick<PlotProps, "title" | "categories" | "series" | "format">;

/** Bars side by side over an axis of categories, with lines for their numbers. */
export function PlotColumns({ title, categories, series, format }: PlotColumnsProps) {
  const t = useTranslations("plots");
  const { number } = useFormatter();
  const lines = plotLines(Math.max(0, ...categories.map((_, index) => sumAt(series, index))));
  const highest = lines.at(-1) || 1;
  const yOf = (count: number) => TOP + (HEIGHT - TOP) * (1 - count / highest);
  const width = 100 / categories.length;
  const labelEvery = Math.ceil(categories.length / LABELS);
  return (
    <div className="flex min-w-0 gap-2">
      <svg
        aria-hidden
        className="w-8 shrink-0 overflow-visible fill-muted-foreground text-[0.6875rem] tabular-nums"
        height={HEIGHT}
        width="100%"
      >
        {lines.map((line) => (
          <text key={line} x="100%" y={yOf(line)} dy="0.32em" textAnchor="end">
            {number(line, { notation: "compact" })}
          </text>
        ))}
      </svg>
      <svg
        role="img"
        aria-label={title}
        className="min-w-0 flex-1 overflow-visible text-[0.6875rem]"
        height={HEIGHT + 20}
        width="100%"
      >
        {lines.map((line) => (
          <line key={line} x1="0" x2="100%" y1={yOf(line)} y2={yOf(line)} className="stroke-border" />
        ))}
        {categories.map((category, index) => {
          let below = 0;
          return series.map(({ key, label, values, tone }) => {
            const count = values[index] ?? 0;
            const y = yOf(below + count);
            const height = yOf(below) - y - (below > 0 ? GAP : 0);
            below += count;
            if (count === 0) return null;
            return (
              <rect
                key={`${category.key} ${key}`}
                x={`${(index + (1 - BAR) / 2) * width}%`}
                width={`${width * BAR}%`}
                y={y}
                height={Math.max(1, height)}
                rx="1"
                className={PLOT_FILLS[tone]}
              >
                <title>
                  {t("bar", { category: category.longLabel ?? category.label, value: format(count), label })}
                </title>
              </rect>
            );
          });
        })}
        {categories.map(({ key, label }, index) =>
          (categories.length - 1 - index) % labelEvery === 0 ? (
            <text
              key={key}
              x={`${(index + 0.5) * width}%`}
              y={HEIGHT + 15}
              textAnchor={index === categories.length - 1 ? "end" : index === 0 ? "start" : "middle"}
              className="fill-muted-foreground tabular-nums"
            >
              {label}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
}
