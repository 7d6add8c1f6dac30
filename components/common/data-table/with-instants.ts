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
