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

/** The end of the line at a position, without its line break. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
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
    const end = endOfLine(text, at);
    const content = text.slice(at, end);
    const next = end + 1;
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
      const rest = endOfLine(text, quoted.end);
      if (/^\s*(#|$)/.test(text.slice(quoted.end, rest))) entries.push({ key, value: quoted.value, line });
      else issues.push({ line: line + linesIn(text.slice(at, quoted.end)), code: "afterQuote" });
      line += linesIn(text.slice(at, rest)) + 1;
      at = rest + 1;
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

/** Variables as a `.env` file, one a line. */
export function formatDotenv(entries: readonly { key: string; value: string }[]): string {
  return entries.map(({ key, value }) => `${key}=${quoteDotenv(value)}\n`).join("");
}
