import { useFormatter, useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { plotLines } from "./plot-scale";

export type DayPlotSeries = {
  label: string;
  /** The number for each day. */
  values: readonly number[];
  tone: "strong" | "soft";
};

export type DayPlotProps = {
  title: string;
  /** The days in UTC, as `YYYY-MM-DD`, in their order. */
  days: readonly string[];
  /** Stacked, the first one at the bottom. */
  series: readonly DayPlotSeries[];
};

/** Pixels. Widths are percentages, so that the texts keep their size on every screen. */
const HEIGHT = 132;
const TOP = 10;
/** Days between two labels of the axis. */
const LABEL_DAYS = 10;
/** The share of a day's width that its bar has. */
const BAR = 0.68;

const FILLS = { strong: "fill-primary", soft: "fill-primary/40 dark:fill-link" };
const SWATCHES = { strong: "bg-primary", soft: "bg-primary/40 dark:bg-link" };

/**
 * Counts by day as bars, drawn on the server. The drawing is for the eye; screen readers get a table with every number.
 */
export function DayPlot({ title, days, series }: DayPlotProps) {
  const t = useTranslations("plots");
  const format = useFormatter();
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const total = sums.reduce((sum, count) => sum + count, 0);
  const lines = plotLines(Math.max(0, ...sums));
  const highest = lines.at(-1) || 1;
  const yOf = (count: number) => TOP + (HEIGHT - TOP) * (1 - count / highest);
  const width = 100 / days.length;
  const dayName = (day: string, style: "short" | "long") =>
    format.dateTime(new Date(day), { day: "numeric", month: style, timeZone: "UTC" });
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-col">
          <span className="font-medium">{title}</span>
          <span className="text-muted-foreground text-xs leading-4.5">{t("period", { days: days.length })}</span>
        </span>
        <span className="font-semibold text-lg tabular-nums leading-6 tracking-tight">{format.number(total)}</span>
      </figcaption>
      {total === 0 ? (
        <p className="text-muted-foreground text-xs leading-4.5">{t("nothing")}</p>
      ) : (
        <div className="flex min-w-0 gap-2">
          <svg
            aria-hidden
            className="w-8 shrink-0 overflow-visible fill-muted-foreground text-[0.6875rem] tabular-nums"
            height={HEIGHT}
            width="100%"
          >
            {lines.map((line) => (
              <text key={line} x="100%" y={yOf(line)} dy="0.32em" textAnchor="end">
                {format.number(line, { notation: "compact" })}
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
            {days.map((day, index) => {
              let below = 0;
              return series.map(({ label, values, tone }) => {
                const count = values[index] ?? 0;
                const y = yOf(below + count);
                const bottom = yOf(below);
                below += count;
                if (count === 0) return null;
                return (
                  <rect
                    key={`${day} ${label}`}
                    x={`${(index + (1 - BAR) / 2) * width}%`}
                    width={`${width * BAR}%`}
                    y={y}
                    height={bottom - y}
                    rx="1"
                    className={FILLS[tone]}
                  >
                    <title>{t("bar", { day: dayName(day, "long"), count, label })}</title>
                  </rect>
                );
              });
            })}
            {days.map((day, index) =>
              (days.length - 1 - index) % LABEL_DAYS === 0 ? (
                <text
                  key={day}
                  x={`${(index + 0.5) * width}%`}
                  y={HEIGHT + 15}
                  textAnchor={index === days.length - 1 ? "end" : index === 0 ? "start" : "middle"}
                  className="fill-muted-foreground tabular-nums"
                >
                  {dayName(day, "short")}
                </text>
              ) : null,
            )}
          </svg>
        </div>
      )}
      {total > 0 && series.length > 1 && (
        <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-xs">
          {series.map(({ label, tone }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={cn("size-2.5 rounded-xs", SWATCHES[tone])} />
              {label}
            </li>
          ))}
        </ul>
      )}
      {/* Around the table, because the height of a table is never less than that of its rows. */}
      <div className="sr-only">
        <table>
          <caption>
            {title}. {t("period", { days: days.length })}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{dayName(day, "long")}</th>
                {series.map(({ label, values }) => (
                  <td key={label}>{format.number(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
