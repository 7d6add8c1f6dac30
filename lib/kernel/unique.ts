/** The values of a list in their order, each of them once. */
export function unique<Item>(list: readonly Item[]): Item[] {
  return [...new Set(list)];
}
