import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { zonedDay } from "./zoned-day";

/**
 * The query of a page, with the days of its date filter converted to times: a day starts and ends in the user's time
 * zone.
 *
 * @param timeZone an IANA name
 */
export function withInstants(query: SearchParams, timeZone: string): SearchParams {
  const day = (value: SearchParams[string]) => (typeof value === "string" ? zonedDay(value, timeZone) : null);
  return { ...query, from: day(query.from)?.start, to: day(query.to)?.end };
}

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
