/** The e-mails in a text that somebody typed or pasted, separated by white space, commas or semicolons. */
export function emailsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}
