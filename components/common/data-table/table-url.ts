/**
 * The address of the same list with some of its parameters changed. The page begins anew unless `cursor` is one of them.
 *
 * @param current the present query
 * @param changes new values by parameter name; `null` removes one
 * @returns a relative reference that holds only the query
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

/** The order that a press on a column's head asks for: ascending, then descending, then the list's own. */
export function nextSort(current: string | null, column: string): string | null {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? null : column;
}
