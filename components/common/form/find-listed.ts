/** How many pages of a list are read for one row. */
const MAX_PAGES = 20;

/**
 * Finds a row that no operation reads alone in a list.
 * @param read reads the page after a cursor, of up to 100 rows
 * @returns null if it is not among the first rows
 */
export async function findListed<Row extends { id: string }>(
  id: string,
  read: (page: { limit: number; cursor?: string }) => Promise<{ items: readonly Row[]; nextCursor: string | null }>,
): Promise<Row | null> {
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { items, nextCursor } = await read({ limit: 100, ...(cursor !== undefined && { cursor }) });
    const found = items.find((item) => item.id === id);
    if (found) return found;
    if (nextCursor === null) return null;
    cursor = nextCursor;
  }
  return null;
}
