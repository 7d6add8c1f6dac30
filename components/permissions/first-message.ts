/** The first message in what a form says is wrong with a field that is made of others. */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  for (const [name, part] of Object.entries(error)) {
    // `ref` is the element of the page.
    const message = name === "ref" ? undefined : firstMessage(part);
    if (message) return message;
  }
  return undefined;
}
