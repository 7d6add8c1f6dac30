import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { receiveAuthorization } from "./loopback";

it("waits at the loopback address of IPv6 where the machine has none of IPv4", async (context) => {
  const addresses = Object.values(networkInterfaces()).flat();
  if (!addresses.some((one) => one?.address === "::1")) context.skip("this machine has no IPv6");
  // An address for documentation (RFC 5737), which no machine has.
  const receiver = await receiveAuthorization("state", () => "https://console.example/", ["192.0.2.1", "::1"]);
  expect(receiver.redirectUri).toMatch(/^http:\/\/\[::1\]:\d+\/callback$/);
  const { status } = await fetch(`${receiver.redirectUri}?state=state&code=c`, { redirect: "manual" });
  expect(status).toBe(303);
  expect(await receiver.answer).toEqual({ code: "c" });
  receiver.close();
});

it("says that no address can be used", async () => {
  await expect(receiveAuthorization("state", () => "", ["192.0.2.1"])).rejects.toThrow(
    /^No port of 192\.0\.2\.1 can be opened/,
  );
});
