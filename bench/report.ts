/** One figure of a run, with its reference and its goal. */
export interface Row {
  what: string;
  /** The measured value with its unit, such as "5.21 s". */
  measured: string;
  /** The value of the reference in the same run; null if there is none. */
  reference: string | null;
  /** The measured value divided by the reference; null if there is no reference. */
  ratio: number | null;
  goal: string;
  /** Whether the goal was met; null if it was not measured or has no goal. */
  met: boolean | null;
}

/** Formats rows as an aligned Markdown table. */
export function toTable(rows: readonly Row[]): string {
  const cells = [
    ["what", "measured", "reference", "ratio", "goal", "met"],
    ...rows.map((row) => [
      row.what,
      row.measured,
      row.reference ?? "",
      row.ratio === null ? "" : row.ratio.toFixed(2),
      row.goal,
      row.met === null ? "" : row.met ? "yes" : "NO",
    ]),
  ];
  const widths = (cells[0] as string[]).map((_, column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  const lines = cells.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] as number)).join(" | ")} |`,
  );
  lines.splice(1, 0, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  return lines.join("\n");
}

/** What a measured value is compared with, in the same run and unit. */
interface Comparison {
  measured: number;
  reference: number;
  /** What the reference is. */
  of: string;
  format: (value: number) => string;
  /** The largest ratio that meets the goal, or the smallest. */
  goal: { most: number } | { least: number };
}

/** Returns a row whose goal is a ratio, which means the same on any machine. */
export function compared(what: string, { measured, reference, of, format, goal }: Comparison): Row {
  const ratio = measured / reference;
  return {
    what,
    measured: format(measured),
    reference: `${format(reference)} ${of}`,
    ratio,
    goal: "most" in goal ? `at most ${goal.most} ×` : `at least ${goal.least} ×`,
    met: "most" in goal ? ratio <= goal.most : ratio >= goal.least,
  };
}

/** Returns the rows with those first whose goal was missed, otherwise in their order. */
export function missedFirst(rows: readonly Row[]): Row[] {
  return [...rows.filter(({ met }) => met === false), ...rows.filter(({ met }) => met !== false)];
}

/** Returns a row for a benchmark that cannot run on this machine. */
export function notMeasured(what: string, reason: string): Row {
  return { what, measured: `not measured: ${reason}`, reference: null, ratio: null, goal: "", met: null };
}

/** Returns a row for a benchmark that failed, with the first line of the error. */
export function failed(what: string, error: unknown): Row {
  const reason = String(error).split("\n")[0]?.slice(0, 200) ?? "";
  return { what, measured: `failed: ${reason}`, reference: null, ratio: null, goal: "", met: false };
}

/** Formats a duration in seconds with two decimals. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Formats a duration in milliseconds with one decimal. */
export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/** Formats a number of responses per second. */
export function perSecond(rate: number): string {
  return `${rate.toFixed(0)}/s`;
}

/** Formats a size in mebibytes without decimals. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

/** Returns the median; of an even number of values, the lower of the middle two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the smallest value that at least the given share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] as number;
}
