import type { Operation } from "@/lib/api/operation";
import { type Caller, send } from "./console";

// biome-ignore lint/suspicious/noExplicitAny: a test reads items untyped
type Item = any;

/** Reads all pages of a list, up to 100. */
export async function readPages(
  operation: Operation,
  caller: Caller,
  input: Record<string, unknown>,
): Promise<{ pages: Item[][]; totals: number[] }> {
  const pages: Item[][] = [];
  const totals: number[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await send(operation, caller, { ...input, ...(cursor && { cursor }) });
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    pages.push(answer.body.items);
    totals.push(answer.body.total);
    cursor = answer.body.nextCursor;
  } while (cursor && pages.length < 100);
  return { pages, totals };
}

/** The order of names in the database, except for names that it takes for equal. */
const BY_NAME = new Intl.Collator("und", { numeric: true, sensitivity: "base" });

/** Sorts texts as the database sorts names: without case and accents, numbers as numbers, and then in code unit order. */
export function compareNames(a: string, b: string): number {
  return BY_NAME.compare(a, b) || (a < b ? -1 : Number(a > b));
}

/** Sorts texts that are not names, such as identifiers, as the database does. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Sorts items by a field, then by ID, as the database does: identifiers by their bytes, other texts as names. A leading "-" means
 * descending.
 */
export function inOrder<T extends { id: string }>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, "") as keyof T;
  const compare = field === "identifier" ? compareBytes : compareNames;
  const ascending = items.toSorted(
    (a, b) => compare(String(a[field]), String(b[field])) || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  return sort.startsWith("-") ? ascending.reverse() : ascending;
}
