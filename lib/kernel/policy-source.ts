/**
 * The source by which a content security policy allows an origin (CSP 3, 2.3.1). A policy has no form for an IPv6 address, and browsers ignore
 * a source with one: of such an origin, its scheme is allowed.
 * @param url of the origin
 */
export function policySource(url: string): string {
  const { origin, protocol, hostname } = new URL(url);
  return hostname.startsWith("[") ? protocol : origin;
}
