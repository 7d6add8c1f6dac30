import type { ParsedFile, ParseIssue } from "./variable-files";

const ASSIGNMENT = /^[^\S\n]*(?:export[^\S\n]+)?([^\s=#'"`]+)[^\S\n]*=[^\S\n]*/;
const QUOTES = new Set(["'", '"', "`"]);

/** What a backslash and a character mean between double quotes; before any other one, the backslash is itself. */
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$", "`": "`" };

/** The value between double quotes. @returns it, and the position after the closing quote; null where there is none */
function readDoubleQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = "";
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (sign === '"') return { value, end: at + 1 };
    const escaped = sign === "\\" ? ESCAPES[text[at + 1] ?? ""] : undefined;
    value += escaped ?? sign;
    if (escaped !== undefined) at += 1;
  }
  return null;
}

function readQuoted(text: string, quote: string, start: number): { value: string; end: number } | null {
  if (quote === '"') return readDoubleQuoted(text, start);
  const end = text.indexOf(quote, start);
  return end === -1 ? null : { value: text.slice(start, end), end: end + 1 };
}

/** Why a line is no assignment. What stands before `=` is no key, such as one with spaces. */
function notAssigned(content: string): Pick<ParseIssue, "code" | "key"> {
  const [, key = ""] = /^\s*(?:export\s+)?([^=]*?)\s*=/.exec(content) ?? [];
  return key === "" ? { code: "syntax" } : { code: "key", key };
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** The line at a position: where it ends, and where the next one begins. A line ends with LF, CR LF or CR. */
function lineAt(text: string, at: number): { end: number; next: number } {
  LINE_BREAK.lastIndex = at;
  const found = LINE_BREAK.exec(text);
  return found ? { end: found.index, next: LINE_BREAK.lastIndex } : { end: text.length, next: text.length + 1 };
}

function linesIn(text: string): number {
  return text.match(LINE_BREAK)?.length ?? 0;
}

/**
 * Reads a `.env` file: `KEY=value` on each line, with or without `export`.
 * - A value without quotes ends with its line, or before white space and `#`. White space around it does not count.
 * - `'…'` and `` `…` `` are taken as they are, over several lines too.
 * - Between `"…"`, `\n`, `\r`, `\t`, `\"`, `\\`, `\$` and `` \` `` are escapes.
 * - Nothing is expanded: `$HOME` is a text.
 *
 * @returns the entries in their order, with the number of the line in which each begins, from 1; a line that cannot be
 *   read is an issue, and the rest is read all the same
 */
export function parseDotenv(source: string): ParsedFile {
  const text = source.replace(/^\uFEFF/, "");
  const entries: ParsedFile["entries"] = [];
  const issues: ParseIssue[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const { end, next } = lineAt(text, at);
    const content = text.slice(at, end);
    if (/^\s*(#|$)/.test(content)) {
      at = next;
      line += 1;
      continue;
    }
    const assignment = ASSIGNMENT.exec(content);
    if (!assignment) {
      issues.push({ line, ...notAssigned(content) });
      at = next;
      line += 1;
      continue;
    }
    const key = assignment[1] as string;
    const start = at + assignment[0].length;
    const quote = text[start] ?? "";
    if (start < end && QUOTES.has(quote)) {
      const quoted = readQuoted(text, quote, start + 1);
      if (!quoted) {
        issues.push({ line, code: "unclosedQuote" });
        at = next;
        line += 1;
        continue;
      }
      const rest = lineAt(text, quoted.end);
      if (/^\s*(#|$)/.test(text.slice(quoted.end, rest.end))) entries.push({ key, value: quoted.value, line });
      else issues.push({ line: line + linesIn(text.slice(at, quoted.end)), code: "afterQuote" });
      line += linesIn(text.slice(at, rest.end)) + 1;
      at = rest.next;
      continue;
    }
    const value = text.slice(start, end).replace(/(^|\s)#.*$/s, "");
    entries.push({ key, value: value.trim(), line });
    at = next;
    line += 1;
  }
  return { entries, issues };
}

/** A value as a `.env` file has it, so that `parseDotenv` and a POSIX shell read the same. */
function quoteDotenv(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!/['\r]/.test(value)) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, "\\$&").replaceAll("\r", "\\r")}"`;
}

/**
 * The programs that misread a variable of a `.env` file, with which variables: no form of quoting is read alike by all of them.
 * - Node.js (`--env-file` and dotenv) knows no escapes but `\n`, and dotenv `\r`.
 * - python-dotenv knows no escaped `$` and `` ` ``, unescapes `\\` between single quotes, takes a backslash before the closing quote for
 *   an escape, and expands `${NAME}`.
 * - A shell knows no escaped carriage return, and no name with a dot or hyphen.
 */
const MISREADERS: Readonly<Record<string, (key: string, value: string) => boolean>> = {
  "Node.js": (_key, value) => /\r/.test(value) || (value.includes("'") && /[\\"$`]/.test(value)),
  "python-dotenv": (_key, value) => /\$\{|\\$/.test(value) || (/['\r]/.test(value) ? /[$`]/ : /\\\\/).test(value),
  sh: (key, value) => value.includes("\r") || !/^[A-Za-z_]\w*$/.test(key),
};

/** Says that a program misreads variables. */
export type Comment = (reader: string, keys: string) => string;

/** The keys that a comment names. */
const MAX_NAMED_KEYS = 20;

/**
 * Variables as a `.env` file, one a line, after a comment for each program that misreads some of them.
 * @param comment says that a program misreads the named variables
 */
export function formatDotenv(entries: readonly { key: string; value: string }[], comment: Comment): string {
  const comments = Object.entries(MISREADERS).flatMap(([reader, misreads]) => {
    const keys = entries.filter(({ key, value }) => misreads(key, value)).map(({ key }) => key);
    if (keys.length === 0) return [];
    const named = keys.slice(0, MAX_NAMED_KEYS).join(", ");
    return [`# ${comment(reader, keys.length > MAX_NAMED_KEYS ? `${named}, …` : named)}\n`];
  });
  return [...comments, ...entries.map(({ key, value }) => `${key}=${quoteDotenv(value)}\n`)].join("");
}
