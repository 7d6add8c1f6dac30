/** A list without what is in it before, in the same order. */
export function unique<Item>(list: readonly Item[]): Item[] {
  return [...new Set(list)];
}
