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

/** Sorts items by a field, then by ID, in code unit order. A leading "-" means descending. */
export function inOrder<T extends { id: string }>(items: readonly T[], sort: string): T[] {
  const field = sort.replace(/^-/, "") as keyof T;
  const compare = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0);
  const ascending = items.toSorted((a, b) => compare(a[field], b[field]) || compare(a.id, b.id));
  return sort.startsWith("-") ? ascending.reverse() : ascending;
}
