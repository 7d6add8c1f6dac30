/** One line of the table in docs/reliability.md. */
export interface Row {
  what: string;
  /** The number that ran, with its unit. */
  ran: string;
  /** What was measured. */
  measured: string;
  /** The first problem; null if every invariant held. */
  problem: string | null;
  minutes: number;
  seed: number | null;
  commit: string;
  /** ISO 8601, without the time. */
  date: string;
}

const BEGIN = "<!-- results: written by `npm run torture -- --write` -->";
const END = "<!-- end of results -->";
const HEADER = [
  "| what | ran | measured | result | minutes | seed | commit | date |",
  "| --- | --- | --- | --- | --- | --- | --- | --- |",
];

function toLine({ what, ran, measured, problem, minutes, seed, commit, date }: Row): string {
  const cells = [what, ran, measured, problem ?? "held", String(minutes), String(seed ?? ""), commit, date];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join(" | ")} |`;
}

/**
 * Writes rows into the table of a text. A row replaces the one about the same; the others stay.
 * @throws Error if the text has no table
 */
export function withRows(text: string, rows: readonly Row[]): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error("the text has no table of results");
  const lines = text
    .slice(begin, end)
    .split("\n")
    .filter((line) => line.startsWith("| ") && !HEADER.includes(line));
  for (const row of rows) {
    const index = lines.findIndex((line) => line.startsWith(`| ${row.what} |`));
    if (index < 0) lines.push(toLine(row));
    else lines[index] = toLine(row);
  }
  return `${text.slice(0, begin)}${BEGIN}\n\n${[...HEADER, ...lines].join("\n")}\n\n${text.slice(end)}`;
}

/** Writes figures as words: `3 uploads, 5 releases`. */
export function toWords(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([what, count]) => `${count.toLocaleString("en-US")} ${what}`)
    .join(", ");
}
