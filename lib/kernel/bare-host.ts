/** The host of a URL without the brackets of an IPv6 address. */
export function bareHost({ hostname }: Pick<URL, "hostname">): string {
  return hostname.replace(/^\[|\]$/g, "");
}
