import { describe, expect, it } from "vitest";
import { parseEnv } from "./env";

const given = { DATABASE_URL: "postgresql://localhost/x", MASTER_KEY: "k" };

describe("OUTBOUND_ALLOWED_HOSTS", () => {
  it("takes names, addresses and ranges", () => {
    const hosts = "gitlab.internal, 10.0.0.0/8,::1,fd00::/8,192.0.2.7, localhost";
    expect(parseEnv({ ...given, OUTBOUND_ALLOWED_HOSTS: hosts }).OUTBOUND_ALLOWED_HOSTS).toEqual(hosts.split(/, ?/));
    expect(parseEnv(given).OUTBOUND_ALLOWED_HOSTS).toEqual([]);
  });

  it.each([
    "https://gitlab.internal",
    "gitlab.internal:8080",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0/8",
    "*.internal",
    "10.0.0.256",
  ])("stops the start at %s, by its name", (hosts) => {
    expect(() => parseEnv({ ...given, OUTBOUND_ALLOWED_HOSTS: hosts })).toThrow(/OUTBOUND_ALLOWED_HOSTS/);
  });
});
