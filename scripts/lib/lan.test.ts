import { isLocalAddress } from "@slipway/certificates/authority";
import { describe, expect, it } from "vitest";
import { chooseLan, findLan, hostAndPort, localName } from "./lan.mjs";

const machine = {
  name: "mac.local",
  isNameResolved: true,
  addresses: ["172.17.0.1", "192.168.1.20", "fd00::20"],
  outbound: "192.168.1.20",
};

describe("the hosts of a console on the local network", () => {
  it("are its .local name, its addresses and those of the machine itself", () => {
    expect(chooseLan(undefined, machine)).toEqual({
      host: "mac.local",
      address: "192.168.1.20",
      hosts: ["mac.local", "172.17.0.1", "192.168.1.20", "fd00::20", "localhost", "127.0.0.1", "::1"],
    });
  });

  it("begin with the address of the outbound interface if the name is not resolved", () => {
    const lan = chooseLan(undefined, { ...machine, isNameResolved: false });
    expect(lan).toMatchObject({ host: "192.168.1.20", address: "192.168.1.20" });
    expect(lan.hosts[0]).toBe("192.168.1.20");
    expect(lan.hosts).toContain("mac.local");
  });

  it("begin with the first address if no interface leads out", () => {
    const lan = chooseLan(undefined, { ...machine, isNameResolved: false, outbound: undefined });
    expect(lan.host).toBe("172.17.0.1");
  });

  it("begin with the host that was asked for, if it is the machine's own", () => {
    expect(chooseLan("172.17.0.1", machine)).toMatchObject({ host: "172.17.0.1", address: "172.17.0.1" });
    expect(() => chooseLan("example.com", machine)).toThrow(
      "--lan=example.com is none of this machine's local names and addresses: mac.local, 172.17.0.1, 192.168.1.20, fd00::20",
    );
  });

  it("are refused on a machine without a local address", () => {
    expect(() => chooseLan(undefined, { ...machine, addresses: [], outbound: "203.0.113.5" })).toThrow(
      "docs/operations/README.md",
    );
  });

  it("are such that the console's authority may sign for them", async () => {
    const { hosts } = await findLan(undefined).catch(() => chooseLan(undefined, machine));
    for (const host of hosts) expect(isLocalAddress(host) || /^(localhost|[a-z0-9-]+\.local)$/.test(host)).toBe(true);
  });
});

it.each([
  ["Ana-MacBook-Pro.local", "ana-macbook-pro.local"],
  ["build.example.com", "build.local"],
  ["pc_1", undefined],
  ["localhost", undefined],
  ["", undefined],
])("forms the .local name of the machine %s", (name, expected) => {
  expect(localName(name)).toBe(expected);
});

it("writes an IPv6 address in brackets", () => {
  expect([hostAndPort("mac.local", 3000), hostAndPort("fd00::20", 3000)]).toEqual([
    "mac.local:3000",
    "[fd00::20]:3000",
  ]);
});
