import { X509Certificate } from "node:crypto";
import { parsePlist } from "@slipway/installers/testing";
import { beforeAll, expect, it } from "vitest";
import { env } from "@/lib/kernel/env";
import { ensureLanCertificates, lanFolder, readLanAuthority } from "@/lib/keys/lan-certificates";
import { ANONYMOUS, send, sendRaw } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { downloadAuthority } from "./download-authority";
import { getTrust } from "./get-trust";

setUpTestDatabase();

beforeAll(async () => {
  await ensureLanCertificates(lanFolder(), env.LAN_HOSTS, new Date());
});

it("describes the authority and the names for which it may sign", async () => {
  const authority = await readLanAuthority(lanFolder());
  const answer = await send(getTrust, ANONYMOUS, {});
  expect(answer.body).toEqual({
    name: "Slipway on mac.local",
    url: env.APP_URL,
    hosts: ["mac.local"],
    isAddress: false,
    fingerprint: authority?.fingerprint256,
    expiresAt: authority?.validToDate.toISOString(),
  });
});

it("answers the certificate in PEM with the type by which devices offer to install it", async () => {
  const response = await sendRaw(downloadAuthority, ANONYMOUS, {});
  expect(response.headers.get("content-type")).toBe("application/x-x509-ca-cert");
  expect(response.headers.get("content-disposition")).toContain('filename="slipway.crt"');
  const pem = await response.text();
  expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  const certificate = new X509Certificate(pem);
  expect(certificate.fingerprint256).toBe((await readLanAuthority(lanFolder()))?.fingerprint256);
  expect(certificate.ca).toBe(true);
});

it("answers a profile that installs the certificate as a root on Apple's devices", async () => {
  const response = await sendRaw(downloadAuthority, ANONYMOUS, { format: "profile" });
  expect(response.headers.get("content-type")).toBe("application/x-apple-aspen-config");
  const profile = parsePlist(Buffer.from(await response.arrayBuffer())) as Map<string, unknown>;
  expect(profile.get("PayloadType")).toBe("Configuration");
  expect(profile.get("PayloadDisplayName")).toBe("Slipway on mac.local");
  const [payload] = profile.get("PayloadContent") as Map<string, unknown>[];
  expect(payload?.get("PayloadType")).toBe("com.apple.security.root");
  const authority = await readLanAuthority(lanFolder());
  expect(Buffer.from(payload?.get("PayloadContent") as Uint8Array).equals(authority?.raw as Buffer)).toBe(true);
});

it("never contains a private key", async () => {
  for (const format of ["certificate", "profile"]) {
    const response = await sendRaw(downloadAuthority, ANONYMOUS, { format });
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).not.toContain("PRIVATE KEY");
  }
});
