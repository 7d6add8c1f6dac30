import { once } from "node:events";
import { fstatSync, writeFileSync } from "node:fs";
import { styleText } from "node:util";
import { cellsOf, padTo, wrap } from "./text-width";

type Style = Parameters<typeof styleText>[0];

/** An output stream with what the tool needs to know of it. */
export interface Output {
  write(text: string): void;
  /** Writes the bytes of a file. */
  send(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Writes a message, whose lines are broken between words where a terminal shows them. */
  say(message: string): void;
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

/** The typographic characters of the tool's own texts and of its prompts, in ASCII. */
const ASCII: Readonly<Record<string, string>> = {
  "•": "*",
  "↑": "Up",
  "↓": "Down",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
};

function inAscii(text: string): string {
  return text.replace(/[•↑↓’‘“”–—…]/g, (character) => ASCII[character] ?? character);
}

/** The size of a terminal that states none: some say that they have 0 columns and rows. */
const USUAL = { columns: 80, rows: 24 };

/** Wraps the stream of a terminal for prompts: it always has a size, and without UTF-8, texts are written to it in ASCII. */
export function forPrompts(stream: NodeJS.WriteStream, { unicode }: Pick<Symbols, "unicode">): NodeJS.WriteStream {
  return new Proxy(stream, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "columns" || name === "rows") return member || USUAL[name];
      if (name === "write" && !unicode) return (text: string) => target.write(inAscii(text));
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** stdout or stderr of the process. */
type ProcessStream = NodeJS.WriteStream & { readonly fd: number };

/** Whether a stream of the process goes to a file. */
function isFile({ fd }: ProcessStream): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** Writes a whole text to a file. On a disk that becomes full, the stream would report success after a part of it. */
function writeToFile(stream: ProcessStream, content: string | Uint8Array): void {
  try {
    writeFileSync(stream.fd, content);
  } catch (error) {
    stream.emit("error", error);
  }
}

/**
 * Wraps a stream of the process. Colours follow NO_COLOR (no-color.org) and TERM=dumb.
 * @param options.carriesData whether values are written to the stream, such as that of a variable: only its messages are changed
 *   then, and only for terminals
 */
export function outputOf(
  stream: ProcessStream,
  environment: Environment,
  { unicode, carriesData }: { unicode: boolean; carriesData: boolean },
): Output {
  const isTTY = stream.isTTY === true;
  const styled = isTTY && !environment.NO_COLOR && environment.TERM !== "dumb";
  const shown = (text: string) => (unicode || (carriesData && !isTTY) ? text : inAscii(text));
  const columns = () => stream.columns || USUAL.columns;
  const toFile = isFile(stream);
  const write = (text: string) => {
    if (toFile) writeToFile(stream, text);
    else stream.write(text);
  };
  return {
    isTTY,
    get columns() {
      return columns();
    },
    write: (text) => write(carriesData ? text : shown(text)),
    async send(content) {
      for await (const chunk of content) {
        if (toFile) writeToFile(stream, chunk);
        else if (!stream.write(chunk)) await once(stream, "drain");
      }
    },
    say: (message) => write(`${isTTY ? wrap(shown(message), columns()) : shown(message)}\n`),
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

/** The space between two columns of a table. */
const GAP = "  ";

function cleanCell(cell: string): string {
  return printable(cell).replace(/\s+/g, " ").trim();
}

/**
 * Writes rows in aligned columns below their names. A terminal shows each row as a block of its own where the columns do
 * not fit; the last column is shortened first.
 */
export function writeTable(out: Output, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const shown = rows.map((row) => row.map(cleanCell));
  const lines = [heads.map((head) => head.toUpperCase()), ...shown];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => cellsOf(line[column] ?? ""))));
  const lastAt = heads.length - 1;
  const before = widths.slice(0, lastAt).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = out.columns - before;
  if (out.isTTY && left < Math.min(widths[lastAt] ?? 0, MIN_LAST_COLUMN)) {
    out.write(shown.map((row) => inBlock(out, heads, row)).join("\n"));
    return;
  }
  lines.forEach((line, index) => {
    const cells = line.map((cell, column) =>
      column < lastAt ? padTo(cell, widths[column] ?? 0) : out.isTTY ? shortened(cell, left) : cell,
    );
    const text = cells.join(GAP).trimEnd();
    out.write(`${index === 0 ? out.paint("dim", text) : text}\n`);
  });
}

/** The cells that the last column of a table has at least before its rows are shown as blocks. */
const MIN_LAST_COLUMN = 16;

function shortened(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  const characters = [...text];
  while (characters.length > 0 && cellsOf(`${characters.join("")}...`) > cells) characters.pop();
  return `${characters.join("").trimEnd()}...`;
}

function inBlock(out: Output, labels: readonly string[], values: readonly string[]): string {
  const width = Math.max(...labels.map(cellsOf));
  const indent = width + GAP.length;
  return labels
    .map((label, at) => [label, values[at] ?? ""] as const)
    .filter(([, value]) => value !== "")
    .map(([label, value]) => {
      const line = `${out.paint("dim", padTo(label, width))}${GAP}${value}`;
      return `${out.isTTY ? wrapFact(line, out.columns, indent) : line}\n`;
    })
    .join("");
}

/**
 * Breaks the value of a fact below its label, or nearer to the left edge where the terminal is too narrow for that or for the
 * longest word.
 */
export function wrapFact(line: string, columns: number, indent: number): string {
  const longest = Math.max(...line.split(" ").map(cellsOf));
  return wrap(line, columns, columns - indent < Math.max(longest, MIN_LAST_COLUMN) ? GAP.length : indent);
}

/** Writes facts, one in a line: label and value. Empty ones are left out. */
export function writeFacts(out: Output, facts: readonly (readonly [string, string])[]): void {
  out.write(
    inBlock(
      out,
      facts.map(([label]) => cleanCell(label)),
      facts.map(([, value]) => cleanCell(value)),
    ),
  );
}

/** A time of the console as "2026-11-22 22:38 UTC". */
export function dateAndTime(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
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
