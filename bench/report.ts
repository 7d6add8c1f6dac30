/** One figure of a run: what was measured, against what, and what it should be. */
export interface Row {
  what: string;
  /** The measured value in words: "5.21 s". */
  measured: string;
  /** What stands beside it in the same run, in words; null where nothing does. */
  reference: string | null;
  /** Measured by reference; null where there is no reference. */
  ratio: number | null;
  goal: string;
  /** Null where it could not be measured here, or is there for comparison alone. */
  met: boolean | null;
}

/** The rows as an aligned table in Markdown. */
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

/** A row that says why there is no figure. */
export function notMeasured(what: string, reason: string): Row {
  return { what, measured: `not measured: ${reason}`, reference: null, ratio: null, goal: "", met: null };
}

/** A row of something that broke; the first line of why. */
export function failed(what: string, error: unknown): Row {
  const reason = String(error).split("\n")[0]?.slice(0, 200) ?? "";
  return { what, measured: `failed: ${reason}`, reference: null, ratio: null, goal: "", met: false };
}

/** Seconds with two decimals. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Mebibytes without decimals. */
export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] as number;
}
