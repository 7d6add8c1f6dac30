/** The tool's address with the parameters of an answer (RFC 6749, 4.1.2). */
export function answerUrl(redirectUri: string, parameters: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
