/** First and last names. */
export function fullName({ firstNames, lastNames }: { firstNames: string; lastNames: string }): string {
  return `${firstNames} ${lastNames}`.trim();
}
