/** Quotes a string as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A shell command over several lines. */
export function shellCommand(...words: string[]): string {
  return words.join(" \\\n  ");
}
