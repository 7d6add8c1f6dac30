/** The colors of a plot, which differ also for people who do not tell red from green. `rest` is for what is not the subject. */
export type PlotTone = "first" | "second" | "third" | "fourth" | "rest";

export interface PlotSeries {
  key: string;
  label: string;
  /** The number for each category. */
  values: readonly number[];
  tone: PlotTone;
}

/** What a plot has a bar for: a day, a system, an application. */
export interface PlotCategory {
  key: string;
  label: string;
  /** What the label shortens, for the table. */
  longLabel?: string;
}

export const PLOT_FILLS: Record<PlotTone, string> = {
  first: "fill-plot-first",
  second: "fill-plot-second",
  third: "fill-plot-third",
  fourth: "fill-plot-fourth",
  rest: "fill-plot-rest",
};

export const PLOT_SWATCHES: Record<PlotTone, string> = {
  first: "bg-plot-first",
  second: "bg-plot-second",
  third: "bg-plot-third",
  fourth: "bg-plot-fourth",
  rest: "bg-plot-rest",
};

/** The sum of the series for a category. */
export function sumAt(series: readonly PlotSeries[], index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
}
