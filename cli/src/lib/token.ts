/** Whether a text has the form of an API token. The console checks more of it. */
export function isApiToken(text: string): boolean {
  return /^slw_[\w-]{50}$/.test(text);
}
