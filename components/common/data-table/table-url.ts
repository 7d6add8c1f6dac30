/**
 * The URL of the same list with some parameters changed. It starts at the first page unless `cursor` is one of them.
 *
 * @param current the current query
 * @param changes new values by parameter name; `null` removes a parameter
 * @returns a relative reference that contains only the query
 */
export function tableUrl(current: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(current);
  next.delete("cursor");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}

/** The next order when a column head is pressed: ascending, then descending, then the list's default. */
export function nextSort(current: string | null, column: string): string | null {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? null : column;
}
