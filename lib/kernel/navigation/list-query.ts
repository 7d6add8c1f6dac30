import type { z } from "zod";
import type { SearchParams } from "./search-params";

/**
 * What a list is asked for by the query of the page that shows it. Parameters that the list does not know, and values
 * that it would refuse, are left out: an address that somebody shortened or mistyped still shows the list.
 *
 * @param schema the input schema of the list's operation
 * @param query the page's query
 * @param fixed what the page itself asks for; stands above the query
 */
export function listQuery<S extends z.ZodObject>(
  schema: S,
  query: SearchParams,
  fixed: Partial<z.input<S>> = {},
): z.input<S> {
  const known = Object.entries(query).filter(([name, value]) => Object.hasOwn(schema.shape, name) && value !== "");
  const input: Record<string, unknown> = { ...Object.fromEntries(known), ...fixed };
  const parsed = schema.safeParse(input);
  for (const { path } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!Object.hasOwn(fixed, name)) delete input[name];
  }
  return input as z.input<S>;
}
