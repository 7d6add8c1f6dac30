import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { everyAddress, findFreePort, isPortFree, parsePort } from "./ports.mjs";

describe("ports", () => {
  it("distinguishes a used port from a free one", async () => {
    const port = await findFreePort("127.0.0.1");
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    expect(await isPortFree(port, "127.0.0.1")).toBe(false);
    server.close();
    await once(server, "close");
    expect(await isPortFree(port, "127.0.0.1")).toBe(true);
  });

  it("reports a port that is used on one address as not free on all addresses", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    expect(await isPortFree((server.address() as AddressInfo).port, "0.0.0.0")).toBe(false);
    server.close();
  });

  it("takes connections of each version of IP that the machine has", async () => {
    const server = createServer((socket) => socket.end()).listen(0, await everyAddress());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const hosts = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    );
    const loopback = hosts.filter((host) => host === "127.0.0.1" || host === "::1");
    expect(loopback).not.toEqual([]);
    for (const host of loopback) await once(connect(port, host).resume(), "close");
    server.close();
  });

  it("takes connections over IPv4 where the machine has no IPv6", async () => {
    const refused = Object.assign(new Error("no IPv6"), { code: "EAFNOSUPPORT" });
    expect(await everyAddress(() => Promise.reject(refused))).toBe("0.0.0.0");
  });

  it("finds a port that can be bound, and that no system assigns by default", async () => {
    const port = await findFreePort("127.0.0.1");
    expect(await isPortFree(port, "127.0.0.1")).toBe(true);
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
  });

  it("parses a port, with a default for an empty one", () => {
    expect(parsePort("8080", 3000)).toBe(8080);
    expect(parsePort(undefined, 3000)).toBe(3000);
    expect(parsePort("", 3000)).toBe(3000);
  });

  it.each(["0", "65536", "80a", "-1", " 80", "1e3", "123456"])("rejects %j as a port", (text) => {
    expect(() => parsePort(text, 3000)).toThrow(/PORT/);
  });
});
