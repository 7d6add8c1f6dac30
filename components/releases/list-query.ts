import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/** A single value of a page's query; undefined if there is none or several. */
export function single(value: SearchParams[string]): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The parameters that narrow a list of releases. */
const FILTERS = ["search", "platformId", "version", "from", "to"];

/** Whether a page's query narrows its list of releases. */
export function isFiltered(query: SearchParams): boolean {
  return FILTERS.some((name) => query[name] !== undefined && query[name] !== "");
}
