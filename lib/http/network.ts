import { isIPv4, isIPv6 } from "node:net";

/** The eight 16-bit groups of an IPv6 address, however it is written (RFC 4291, 2.2). */
function groupsOf(address: string): number[] {
  // The URL parser writes an address in its canonical form (RFC 5952): lower-case hex, an IPv4 part as two groups.
  const [, canonical = ""] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  const [head = "", tail] = canonical.split("::");
  const parse = (part: string) =>
    part
      .split(":")
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  const right = parse(tail ?? "");
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The prefixes of 96 bits before an IPv4 address: mapped (RFC 4291, 2.5.5.2), and translated (RFC 6052). */
const BEFORE_IPV4 = ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"];

/**
 * The network for which a caller is counted wherever something is counted by address. An IPv4 address stands for
 * itself, also in its IPv6 forms. An IPv6 address stands for its /64: that is what a single host or household is given,
 * with 2^64 addresses to call from.
 * @param address as `clientAddress` gives it; null where it is not known
 * @returns a key: the IPv4 address, the first four groups of the IPv6 address with `::/64`, or `unknown`
 */
export function networkOf(address: string | null): string {
  const plain = address?.split("%")[0] ?? "";
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return "unknown";
  const groups = groupsOf(plain);
  const hex = groups.map((group) => group.toString(16));
  if (BEFORE_IPV4.includes(hex.slice(0, 6).join(":"))) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${hex.slice(0, 4).join(":")}::/64`;
}
