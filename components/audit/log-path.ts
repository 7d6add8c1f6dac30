import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/**
 * The path of the audit log with the same filters, order and page.
 *
 * @param query the query of the page
 * @param record the number of the record that is open; by default none
 */
export function logPath(query: SearchParams, record?: number): string {
  const kept = Object.entries(query).filter(([name, value]) => name !== "record" && typeof value === "string");
  const parameters = Object.fromEntries(kept) as Record<string, string>;
  return pagePath(PAGES.adminLogs, { ...parameters, ...(record !== undefined && { record: String(record) }) });
}
