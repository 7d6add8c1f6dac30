import { CST, isMap, isScalar, Lexer, LineCounter, type Pair, parseDocument, stringify, visit } from "yaml";
import { entryKeySchema, isShortEnough } from "@/lib/features/configuration/schema";
import { type IMPORT_ISSUES, MAX_IMPORTED_VARIABLES, type VariableFormat } from "@/lib/features/variables/schema";
import { type Comment, formatDotenv, parseDotenv } from "./dotenv";

/** Something in a file that cannot be imported. */
export interface ParseIssue {
  /** From 1. */
  line: number;
  code: (typeof IMPORT_ISSUES)[number];
  /** What stands in the place of a key, if that is the issue. */
  key?: string;
}

export interface ParsedFile {
  entries: { key: string; value: string; line: number }[];
  issues: ParseIssue[];
}

/** The text of an import takes too much time or memory to read. */
export class CostlyTextError extends Error {
  override readonly name = "CostlyTextError";
}

/** The tokens of YAML that a text may have. A variable has about seven. */
const MAX_TOKENS = 250_000;
/** The tokens of a text that a mapping of keys to texts does not have. The library takes quadratic time for many of them. */
const MAX_FOREIGN_TOKENS = 1_000;

const FOREIGN_TOKENS = new Set<CST.TokenType | null>([
  "alias",
  "anchor",
  "directive-line",
  "doc-end",
  "doc-start",
  "explicit-key-ind",
  "flow-error-end",
  "flow-map-end",
  "flow-map-start",
  "flow-seq-end",
  "flow-seq-start",
  "seq-item-ind",
  "tag",
]);

const STARTS_OF_ITEMS = new Set<CST.TokenType | null>(["comma", "flow-map-start", "flow-seq-start"]);
const TRIVIA = new Set<CST.TokenType | null>(["comment", "newline", "space"]);

/**
 * Counts the tokens of a text, in linear time, before the library composes a document of them.
 * @throws CostlyTextError
 */
function requireReadable(text: string): void {
  let tokens = 0;
  let foreign = 0;
  let isContent = false;
  let last: CST.TokenType | null = null;
  for (const source of new Lexer().lex(text)) {
    // The content of a scalar, which follows its mark, may look like any other token.
    const type = isContent ? "scalar" : CST.tokenType(source);
    isContent = source === CST.SCALAR;
    const isEmptyItem = type === "comma" && STARTS_OF_ITEMS.has(last);
    const isEmptyKey = type === "map-value-ind" && last === type;
    if (isEmptyItem || isEmptyKey || FOREIGN_TOKENS.has(type)) foreign += 1;
    tokens += 1;
    if (tokens > MAX_TOKENS || foreign > MAX_FOREIGN_TOKENS) throw new CostlyTextError();
    if (!TRIVIA.has(type)) last = type;
  }
}

/** The name of a key of a mapping in YAML or JSON; null where it is not a text. */
function keyOf({ key }: Pair): string | null {
  return isScalar(key) && typeof key.value === "string" ? key.value : null;
}

/**
 * Reads a mapping of keys to texts. All scalars count as they are written: `1.10` is not `1.1`, and `yes` is not `true`.
 * Aliases, tags and nested values are refused.
 * @throws CostlyTextError
 */
function parseMapping(source: string): ParsedFile {
  const lineCounter = new LineCounter();
  const text = source.replace(/^\uFEFF/, "");
  requireReadable(text);
  const document = parseDocument(text, { schema: "failsafe", uniqueKeys: false, lineCounter, logLevel: "error" });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const syntax = document.errors.map(({ pos }) => ({ line: lineAt(pos[0]), code: "syntax" as const }));
  if (syntax.length > 0) return { entries: [], issues: syntax };
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === "")) return { entries: [], issues: [] };
  const unsupported: ParseIssue[] = [];
  const refuse = (_key: unknown, { range }: { range?: [number, number, number] | null }) => {
    unsupported.push({ line: lineAt(range?.[0] ?? 0), code: "unsupported" });
  };
  visit(document, { Alias: refuse, Node: (key, node) => (node.tag === undefined ? undefined : refuse(key, node)) });
  if (!isMap(contents)) return { entries: [], issues: [{ line: lineAt(contents.range?.[0] ?? 0), code: "noMapping" }] };
  const entries: ParsedFile["entries"] = [];
  const issues: ParseIssue[] = [...unsupported];
  for (const pair of contents.items) {
    const { key, value } = pair as Pair;
    const range = (key as { range?: [number, number, number] } | null)?.range;
    const line = lineAt(range?.[0] ?? 0);
    const name = keyOf(pair as Pair);
    if (name === null) issues.push({ line, code: "key" });
    else if (value === null) entries.push({ key: name, value: "", line });
    else if (isScalar(value) && typeof value.value === "string") entries.push({ key: name, value: value.value, line });
    else issues.push({ line, code: "nested" });
  }
  return { entries, issues };
}

/** The line of the position that a SyntaxError of JSON.parse names; the last line, where it names none. */
function lineOfSyntaxError(text: string, error: SyntaxError): number {
  const position = /position (\d+)/.exec(error.message)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split("\n").length;
}

/** Reads a JSON object. JSON is YAML too, whose reader tells the lines. */
function parseJsonObject(source: string): ParsedFile {
  const text = source.replace(/^\uFEFF/, "");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { entries: [], issues: [{ line: lineOfSyntaxError(text, error), code: "syntax" }] };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return { entries: [], issues: [{ line: 1, code: "noMapping" }] };
  }
  const values = new Map<string, unknown>(Object.entries(parsed));
  const { entries, issues } = parseMapping(text);
  const isNull = ({ key }: { key: string }) => values.get(key) === null;
  return {
    entries: entries
      .filter((entry) => !isNull(entry))
      .map((entry) => {
        const value = values.get(entry.key);
        return typeof value === "string" ? { ...entry, value } : entry;
      }),
    issues: [...issues, ...entries.filter(isNull).map(({ line }) => ({ line, code: "nested" as const }))],
  };
}

const PARSERS: Record<VariableFormat, (text: string) => ParsedFile> = {
  dotenv: parseDotenv,
  json: parseJsonObject,
  yaml: parseMapping,
};

/** Why an entry cannot be imported; undefined where it can. */
function entryIssue({ key, value }: { key: string; value: string }): ParseIssue["code"] | undefined {
  if (!entryKeySchema.safeParse(key).success) return "key";
  if (!value.isWellFormed() || value.includes("\0")) return "characters";
  return isShortEnough(value) ? undefined : "tooLong";
}

/**
 * Reads variables from a file.
 * @returns all entries, or the issues of the file in the order of its lines
 * @throws CostlyTextError; RangeError where it is nested too deeply
 */
export function parseVariables(format: VariableFormat, text: string): ParsedFile {
  const { entries, issues } = PARSERS[format](text);
  const found = [...issues];
  const keys = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const code = keys.has(entry.key) ? "duplicate" : entryIssue(entry);
    keys.add(entry.key);
    if (code) found.push({ line: entry.line, code, ...(code === "key" && { key: entry.key }) });
    else if (index === MAX_IMPORTED_VARIABLES) found.push({ line: entry.line, code: "tooMany" });
  }
  return { entries, issues: found.sort((a, b) => a.line - b.line) };
}

type Formatter = (entries: readonly { key: string; value: string }[], comment: Comment) => string;

const FORMATTERS: Record<VariableFormat, Formatter> = {
  dotenv: formatDotenv,
  json: (entries) => `${JSON.stringify(Object.fromEntries(entries.map(({ key, value }) => [key, value])), null, 2)}\n`,
  // Quoted, so that readers with other rules for plain texts take none for a number, a boolean or a date.
  yaml: (entries) =>
    entries
      .map(({ key, value }) =>
        stringify({ [key]: value }, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 }),
      )
      .join(""),
};

/**
 * Writes variables as a file that `parseVariables` reads as the same.
 * @param comment the comment of a `.env` file for a program that misreads the named variables
 */
export function formatVariables(
  format: VariableFormat,
  entries: readonly { key: string; value: string }[],
  comment: Comment,
): string {
  return FORMATTERS[format](entries, comment);
}
