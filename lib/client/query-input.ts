/** The query of an address with the input of a query operation; a list is one parameter for each of its values. */
export function searchOf(input: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  }
  return `?${search}`;
}
