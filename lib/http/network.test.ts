import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { networkOf, siteOf } from "./network";

const group = fc.integer({ min: 0, max: 0xffff });
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });
const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
const hex = (values: readonly number[]) => values.map((value) => value.toString(16)).join(":");

/** The first four groups of an address that stands for no IPv4 address. */
const site = groups(4).filter(([first = 0]) => ![0, 0x64, 0x2002].includes(first));

/** An address in the forms in which it may be written. */
function spellings(values: readonly number[]): string[] {
  const full = values.map((value) => value.toString(16).padStart(4, "0")).join(":");
  const last = values
    .slice(6)
    .flatMap((value) => [value >> 8, value & 255])
    .join(".");
  const canonical = new URL(`http://[${full}]`).hostname.slice(1, -1);
  return [full, full.toUpperCase(), hex(values), canonical, `${hex(values.slice(0, 6))}:${last}`, `${canonical}%eth0`];
}

describe("the network that a caller is counted for", () => {
  it("is one for all addresses of an IPv6 /64, however they are written", () => {
    fc.assert(
      fc.property(site, groups(4), groups(4), (prefix, one, other) => {
        const networks = [...spellings([...prefix, ...one]), ...spellings([...prefix, ...other])].map(networkOf);
        expect(new Set(networks)).toEqual(new Set([`${hex(prefix)}::/64`]));
      }),
    );
  });

  it("is another for each /64", () => {
    fc.assert(
      fc.property(site, site, groups(4), (one, other, host) => {
        const same = hex(one) === hex(other);
        expect(networkOf(hex([...one, ...host])) === networkOf(hex([...other, ...host]))).toBe(same);
      }),
    );
  });

  it("is an IPv4 address itself, also where it comes within an IPv6 address", () => {
    fc.assert(
      fc.property(octets, ([a = 0, b = 0, c = 0, d = 0]) => {
        const address = [a, b, c, d].join(".");
        const low = hex([(a << 8) | b, (c << 8) | d]);
        const written = [
          address,
          `::ffff:${address}`,
          `::FFFF:${low}`,
          `0:0:0:0:0:ffff:${address}`,
          `64:ff9b::${address}`,
        ];
        expect(new Set(written.map(networkOf))).toEqual(new Set([address]));
      }),
    );
  });

  it("is the IPv4 address of a 6to4 /48, and of an address of a local NAT64 (RFC 8215)", () => {
    const octet = fc.integer({ min: 1, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, octet, groups(5), (a, b, c, d, rest) => {
        const [high, low] = [(a << 8) | b, (c << 8) | d];
        const written = [
          hex([0x2002, high, low, ...rest]),
          hex([0x64, 0xff9b, 1, 0, 0, 0, high, low]),
          hex([0x64, 0xff9b, 1, ...rest.slice(0, 3), high, low]),
          hex([0x64, 0xff9b, 1, high, c, d << 8, 0, 0]),
        ];
        expect(new Set(written.map(networkOf))).toEqual(new Set([[a, b, c, d].join(".")]));
        expect(written.map(siteOf)).toEqual([null, null, null, null]);
      }),
    );
    expect(networkOf("64:ff9b:2::c000:201")).toBe("64:ff9b:2:0::/64");
  });

  it("is one for all of whom no address is known", () => {
    for (const address of [null, "", "unix:", "192.0.2.256", "2001:db8::g"]) expect(networkOf(address)).toBe("unknown");
  });

  it("fits a counter's key", () => {
    expect(networkOf("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBe("ffff:ffff:ffff:ffff::/64");
    expect(networkOf("::1")).toBe("0:0:0:0::/64");
  });
});

describe("the site that a caller is counted for as well", () => {
  it("is one for all networks of an IPv6 /48, and another for each /48", () => {
    fc.assert(
      fc.property(site, site, groups(5), groups(5), (one, other, host, otherHost) => {
        const key = `${hex(one.slice(0, 3))}::/48`;
        for (const spelling of spellings([...one.slice(0, 3), ...host])) expect(siteOf(spelling)).toBe(key);
        expect(siteOf(hex([...one.slice(0, 3), ...otherHost]))).toBe(key);
        const same = hex(one.slice(0, 3)) === hex(other.slice(0, 3));
        expect(siteOf(hex([...other.slice(0, 3), ...host])) === key).toBe(same);
      }),
    );
  });

  it("is none for IPv4 addresses and where no address is known", () => {
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "64:ff9b::192.0.2.1", null, "unix:"]) {
      expect(siteOf(address)).toBeNull();
    }
  });
});
