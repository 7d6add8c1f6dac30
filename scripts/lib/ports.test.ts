import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findFreePort, isPortFree, parsePort } from "./ports.mjs";

describe("ports", () => {
  it("tells a taken port from a free one", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await isPortFree(port, "127.0.0.1")).toBe(false);
    server.close();
    await once(server, "close");
    expect(await isPortFree(port, "127.0.0.1")).toBe(true);
  });

  it("sees that a port taken on one address cannot be had on all", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    expect(await isPortFree((server.address() as AddressInfo).port, "0.0.0.0")).toBe(false);
    server.close();
  });

  it("finds a port that can be bound", async () => {
    expect(await isPortFree(await findFreePort("127.0.0.1"), "127.0.0.1")).toBe(true);
  });

  it("reads a port, with a fallback for none", () => {
    expect(parsePort("8080", 3000)).toBe(8080);
    expect(parsePort(undefined, 3000)).toBe(3000);
    expect(parsePort("", 3000)).toBe(3000);
  });

  it.each(["0", "65536", "80a", "-1", " 80", "1e3", "123456"])("refuses %j as a port and says so", (text) => {
    expect(() => parsePort(text, 3000)).toThrow(/PORT/);
  });
});
