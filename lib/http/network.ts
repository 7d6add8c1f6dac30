import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** Whether an address is one of a list; false for what is not an address. */
export function isInList(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** A list of addresses and of ranges in CIDR notation. */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix) list.addSubnet(address, Number(prefix), family);
    else list.addAddress(address, family);
  }
  return list;
}

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

/** Two groups as an IPv4 address. */
function ipv4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The IPv4 address for which an IPv6 address stands; null if it stands for none. */
function embeddedIpv4(groups: readonly number[]): string | null {
  const [first, second, third, fourth = 0, fifth = 0, sixth = 0, seventh, eighth] = groups;
  if (BEFORE_IPV4.includes(groups.slice(0, 6).map(hexOf).join(":"))) return ipv4Of(seventh, eighth);
  // 6to4 (RFC 3056): a /48 for each IPv4 address.
  if (first === 0x2002) return ipv4Of(second, third);
  if (first !== 0x64 || second !== 0xff9b || third !== 1) return null;
  // Local-use translation (RFC 8215). With a prefix of 96 bits, the address comes last; with one of 48 bits, it follows
  // the prefix, around the eight zeros of RFC 6052, section 2.2, and zeros come last.
  if (seventh !== 0 || eighth !== 0) return ipv4Of(seventh, eighth);
  return ipv4Of(fourth, ((fifth & 255) << 8) | (sixth >> 8));
}

function hexOf(group: number): string {
  return group.toString(16);
}

/** The groups of an IPv6 address that stands for no IPv4 address, or the IPv4 address; null where neither is known. */
function parsed(address: string | null): { ipv4: string } | { groups: number[] } | null {
  const plain = address?.split("%")[0] ?? "";
  if (isIPv4(plain)) return { ipv4: plain };
  if (!isIPv6(plain)) return null;
  const groups = groupsOf(plain);
  const ipv4 = embeddedIpv4(groups);
  return ipv4 === null ? { groups } : { ipv4 };
}

/**
 * The network for which a caller is counted wherever something is counted by address. An IPv4 address stands for
 * itself, also in its IPv6 forms. An IPv6 address stands for its /64: that is what a single host or household is given,
 * with 2^64 addresses to call from.
 * @param address as `clientAddress` gives it; null if it is not known
 * @returns a key: the IPv4 address, the first four groups of the IPv6 address with `::/64`, or `unknown`
 */
export function networkOf(address: string | null): string {
  const network = parsed(address);
  if (network === null) return "unknown";
  return "ipv4" in network ? network.ipv4 : `${network.groups.slice(0, 4).map(hexOf).join(":")}::/64`;
}

/**
 * The /48 of an IPv6 address: what an organization or a customer of a hosting company is given, with 65,536 networks.
 * @returns a key; null if the network of the address is the widest that one caller has
 */
export function siteOf(address: string | null): string | null {
  const network = parsed(address);
  return network && "groups" in network ? `${network.groups.slice(0, 3).map(hexOf).join(":")}::/48` : null;
}

/** The widest network that one caller has: the /48 of an IPv6 address, or the IPv4 address. */
export function widestNetworkOf(address: string | null): string {
  return siteOf(address) ?? networkOf(address);
}
