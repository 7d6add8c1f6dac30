import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** An output stream with what the tool needs to know of it. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Characters of a line. */
  readonly columns: number;
  /** The text with a style, if the stream shows styles. */
  paint(style: Style, text: string): string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The symbols for terminals with UTF-8 and for others. */
export interface Symbols {
  unicode: boolean;
  done: string;
  bar: { full: string; empty: string };
  dot: string;
}

/** Whether the terminal shows UTF-8, by the locale (POSIX, 8.2). Windows and macOS always do. */
export function hasUnicode(environment: Environment, platform: NodeJS.Platform): boolean {
  if (platform === "win32" || platform === "darwin") return true;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || "";
  return /utf-?8/i.test(locale);
}

export function symbolsFor(unicode: boolean): Symbols {
  return unicode
    ? { unicode, done: "✓", bar: { full: "█", empty: "░" }, dot: "·" }
    : { unicode, done: "+", bar: { full: "#", empty: "-" }, dot: "-" };
}

/** Wraps a stream of the process. Colours follow NO_COLOR (no-color.org) and TERM=dumb. */
export function outputOf(stream: NodeJS.WriteStream, environment: Environment): Output {
  const isTTY = stream.isTTY === true;
  const styled = isTTY && !environment.NO_COLOR && environment.TERM !== "dumb";
  return {
    isTTY,
    get columns() {
      return stream.columns || 80;
    },
    write: (text) => void stream.write(text),
    paint: (style, text) => (styled ? styleText(style, text, { validateStream: false }) : text),
  };
}

/**
 * Removes what a terminal would run: control characters other than line breaks and tabs, and the characters that reverse the
 * direction of text. Names and texts of a console are untrusted.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** A table with aligned columns; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => printable(cell).replace(/\s+/g, " ")));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => [...(row[column] ?? "")].length)));
  return shown
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - [...cell].length),
        )
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** A size in decimal units, as "1.2 GB". */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
