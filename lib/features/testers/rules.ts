import { emailSchema } from "@/lib/features/auth/schema";
import { MAX_IMPORT_ROWS, MAX_NAMED_ROWS } from "./schema";

/** The people of an import. */
export interface ImportedPeople {
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

/** Reads the rows of CSV by RFC 4180, in linear time. A quote that is not closed ends with the text. */
function* csvRows(text: string, separator: string): Generator<Row> {
  let line = 1;
  let row: Row = { line, fields: [] };
  let field = "";
  let quoted = false;
  /** Whether the field has nothing but white space so far. Asking the field itself at each quote would read it again each time. */
  let blank = true;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (character === "\n") line += 1;
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[index + 1] === '"') field += text[++index];
      else quoted = false;
    } else if (character === '"' && blank) {
      quoted = true;
      blank = false;
      field = "";
    } else if (character === separator) {
      row.fields.push(field);
      field = "";
      blank = true;
    } else if (character === "\n") {
      yield { ...row, fields: [...row.fields, field] };
      row = { line, fields: [] };
      field = "";
      blank = true;
    } else if (character !== "\r" || text[index + 1] !== "\n") {
      field += character;
      blank &&= character.trim() === "";
    }
  }
  yield { ...row, fields: [...row.fields, field] };
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
