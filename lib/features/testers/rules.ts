import { emailSchema } from "@/lib/features/auth/schema";
import { MAX_IMPORT_ROWS, MAX_NAMED_ROWS } from "./schema";

/** The people of an import. */
interface ImportedPeople {
  /** In the order of the file, each once without regard to case. */
  emails: string[];
  repeated: number;
  invalid: number;
  /** The first rows without a valid e-mail, with the number of their line. */
  invalidRows: { line: number; text: string }[];
  /** Whether the file has more rows than an import may have. */
  tooMany: boolean;
}

const SEPARATORS = [",", ";", "\t"] as const;
/** Characters of a wrong row that are repeated to the caller. */
const SHOWN_CHARACTERS = 100;

interface Row {
  line: number;
  fields: string[];
}

/** Where a field that is not quoted ends: at a separator, at the end of its line, or at that of the text. */
function endOfField(text: string, from: number, separator: string): number {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n") end += 1;
  return end;
}

/** The text between quotation marks from a position on, of which two stand for one, and where it ends. */
function quotedText(text: string, from: number): { value: string; end: number } {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  const end = quote === -1 ? text.length : quote;
  return { value: text.slice(from, end).replaceAll('""', '"'), end: Math.min(end + 1, text.length) };
}

/** The fields of a row that are read. An e-mail stands in none after them. */
const MAX_FIELDS = 256;

/** The field at a position, and where it ends. White space before a quotation mark is no part of it. */
function fieldAt(text: string, from: number, separator: string): { value: string; end: number } {
  const plainEnd = endOfField(text, from, separator);
  const plain = text.slice(from, plainEnd);
  const quote = plain.indexOf('"');
  const isQuoted = quote !== -1 && plain.slice(0, quote).trim() === "";
  const { value, end: start } = isQuoted ? quotedText(text, from + quote + 1) : { value: "", end: from };
  const end = isQuoted ? endOfField(text, start, separator) : plainEnd;
  const rest = text.slice(start, end);
  return { value: value + (text[end] === "\n" && rest.endsWith("\r") ? rest.slice(0, -1) : rest), end };
}

/** Reads the rows of CSV by RFC 4180, each character a few times at most. A quote that is not closed ends with the text. */
function* csvRows(text: string, separator: string): Generator<Row> {
  let line = 1;
  let fields: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; ) {
    const isEmptyRow = fields.length === 0 && text[at] === "\n";
    if (isEmptyRow) {
      line += 1;
      at += 1;
      start = at;
      continue;
    }
    const { value, end } = fieldAt(text, at, separator);
    if (fields.length < MAX_FIELDS) fields.push(value);
    at = end + 1;
    if (end < text.length && text[end] !== "\n") continue;
    yield { line, fields };
    for (let next = text.indexOf("\n", start); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line += 1;
    [fields, start] = [[], at];
  }
}

/** The characters that decide on the separator. */
const HEAD_CHARACTERS = 10_000;

function separatorOf(text: string): string {
  const [firstLine = ""] = text.slice(0, HEAD_CHARACTERS).split("\n", 1);
  const counts = SEPARATORS.map((separator) => firstLine.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

/** Names of the column of e-mails in exports of other products, in lower case. */
const EMAIL_COLUMNS = ["email", "e-mail", "email address", "e-mail address", "mail"];

/** Reads the e-mails of a CSV file. @param csv with a header that names the column, or with the e-mail first in each row */
export function readImport(csv: string): ImportedPeople {
  const text = csv.replace(/^\uFEFF/, "");
  const found: ImportedPeople = { emails: [], repeated: 0, invalid: 0, invalidRows: [], tooMany: false };
  const seen = new Set<string>();
  let column: number | undefined;
  let rows = 0;
  for (const { line, fields } of csvRows(text, separatorOf(text))) {
    if (fields.every((field) => field.trim() === "")) continue;
    if (column === undefined) {
      const named = fields.findIndex((field) => EMAIL_COLUMNS.includes(field.trim().toLowerCase()));
      column = Math.max(named, 0);
      if (named >= 0) continue;
    }
    rows += 1;
    if (rows > MAX_IMPORT_ROWS) return { ...found, tooMany: true };
    const given = fields[column] ?? "";
    const email = emailSchema.safeParse(given);
    if (!email.success) {
      found.invalid += 1;
      if (found.invalidRows.length < MAX_NAMED_ROWS)
        found.invalidRows.push({ line, text: given.slice(0, SHOWN_CHARACTERS) });
    } else if (seen.has(email.data.toLowerCase())) found.repeated += 1;
    else {
      seen.add(email.data.toLowerCase());
      found.emails.push(email.data);
    }
  }
  return found;
}
