/**
 * The addresses that no host on the internet has: loopback, private use (RFC 1918), shared address space (RFC 6598), which
 * virtual private networks use too, link-local (RFC 3927, RFC 4291) and unique local (RFC 4193).
 */
export const LOCAL_RANGES = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
] as const;

function parseIpv4(text: string): number[] | null {
  const parts = text.split(".");
  const valid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return valid ? parts.map(Number) : null;
}

function parseIpv6(text: string): number[] | null {
  // The URL parser writes an address in its canonical form (RFC 5952), an IPv4 part as two groups.
  const canonical = text.includes(":") ? URL.parse(`http://[${text}]`)?.hostname : undefined;
  if (canonical === undefined) return null;
  const [left = [], right = []] = canonical
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const zeros = new Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255]);
}

/** The bytes of an IPv4 or IPv6 address; null if the text is none. */
export function parseAddress(text: string): number[] | null {
  return parseIpv4(text) ?? parseIpv6(text);
}

/** Whether an address is in a range. @param range in CIDR notation */
function isInRange(address: readonly number[], range: string): boolean {
  const [start = "", prefix] = range.split("/");
  const first = parseAddress(start);
  if (first?.length !== address.length) return false;
  return address.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, Number(prefix) - 8 * index));
    return (byte ^ (first[index] ?? 0)) >> (8 - bits) === 0;
  });
}

/** Whether an address is in one of the local ranges. @param text an IPv4 or IPv6 address */
export function isLocalAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && LOCAL_RANGES.some((range) => isInRange(address, range));
}

/** Whether a host name is in a subtree: that name itself, or a name below it (RFC 5280, section 4.2.1.10). */
export function isInSubtree(name: string, subtree: string): boolean {
  const [below, above] = [name.toLowerCase(), subtree.toLowerCase()];
  return below === above || below.endsWith(`.${above}`);
}
