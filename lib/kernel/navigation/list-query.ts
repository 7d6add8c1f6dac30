import type { z } from "zod";
import type { SearchParams } from "./search-params";

/**
 * Returns the input of a list from the query of its page. Unknown parameters and invalid values are omitted, so that a
 * mistyped URL still shows the list.
 *
 * @param schema the input schema of the list's operation
 * @param query the page's query
 * @param fixed the page's own parameters, which take precedence over the query
 */
export function listQuery<S extends z.ZodObject>(
  schema: S,
  query: SearchParams,
  fixed: Partial<z.input<S>> = {},
): z.input<S> {
  // A page shows rows, whatever format its query asks for.
  const isKnown = (name: string) => Object.hasOwn(schema.shape, name) && name !== "format";
  const known = Object.entries(query).filter(([name, value]) => isKnown(name) && value !== "");
  const input: Record<string, unknown> = { ...Object.fromEntries(known), ...fixed };
  const parsed = schema.safeParse(input);
  for (const { path } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!Object.hasOwn(fixed, name)) delete input[name];
  }
  return input as z.input<S>;
}
