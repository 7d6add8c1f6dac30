import type { SearchParams } from "@/lib/kernel/navigation/search-params";

/** Whether a list of variables or certificates shows only some of its entries. */
export function isFiltered({ search, status }: SearchParams): boolean {
  return search !== undefined || status !== undefined;
}
