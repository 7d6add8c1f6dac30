/** The first common name of a distinguished name (RFC 4514); undefined if it has none. */
export function commonName(distinguishedName: string): string | undefined {
  const escaped = /(?:^|[,+])CN=((?:\\.|[^,+\\])*)/i.exec(distinguishedName)?.[1];
  return escaped?.replace(/\\([0-9a-f]{2}|.)/gi, (whole, code: string) => (code.length === 1 ? code : whole));
}
