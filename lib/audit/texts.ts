import { createHash } from "node:crypto";

/** The longest text that the audit log keeps whole, in UTF-16 code units. */
const MAX_AUDITED_TEXT = 1_000;
/** The entries of one field that it keeps whole, as JSON. */
const MAX_AUDITED_ENTRIES = 4_000;
/** What it keeps of an entry if they are longer together. */
const MAX_AUDITED_ENTRY = 40;

/**
 * A text as the audit log keeps it: a long one by its beginning, its length and its SHA-256. Callers change a text as often as they
 * like, and the log never becomes shorter.
 */
export function auditedText(text: string, most = MAX_AUDITED_TEXT): string {
  if (text.length <= most) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  return `${text.slice(0, most).toWellFormed()}… (${text.length}, SHA-256 ${digest})`;
}

/** Named texts as the audit log keeps them. */
export function auditedTexts(entries: Readonly<Record<string, string>>): Record<string, string> {
  const isShort = JSON.stringify(entries).length <= MAX_AUDITED_ENTRIES;
  if (isShort) return { ...entries };
  return Object.fromEntries(
    Object.entries(entries).map(([name, text]) => [name, auditedText(text, MAX_AUDITED_ENTRY)]),
  );
}
