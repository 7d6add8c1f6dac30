import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/** The parameters that narrow a list. */
const FILTERS = ["search", "status", "roleId"];

/** Whether a page's query narrows its list. If an unfiltered list is empty, it has the button that adds the first entry. */
export function isFiltered(query: SearchParams): boolean {
  return FILTERS.some((name) => query[name] !== undefined);
}
