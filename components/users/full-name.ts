/** A person's names in a row. */
export function fullName({ firstNames, lastNames }: { firstNames: string; lastNames: string }): string {
  return `${firstNames} ${lastNames}`.trim();
}
