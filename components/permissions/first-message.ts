/** The first error message of a form field that consists of other fields. */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  for (const [name, part] of Object.entries(error)) {
    // `ref` is a DOM element.
    const message = name === "ref" ? undefined : firstMessage(part);
    if (message) return message;
  }
  return undefined;
}
