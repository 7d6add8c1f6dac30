/** A text with values in place of its parameters, such as `{limit, number}`. */
export function filledText(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) => String(params[name] ?? ""));
}
