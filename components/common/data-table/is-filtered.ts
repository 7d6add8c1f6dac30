import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/** The parameters that show a part of a list. */
const FILTERS = ["search", "status", "roleId", "platformId", "version", "from", "to", "cursor"];

/** Whether a page's query narrows its list. If an unfiltered list is empty, it has the button that adds the first entry. */
export function isFiltered(query: SearchParams): boolean {
  return FILTERS.some((name) => query[name] !== undefined);
}
