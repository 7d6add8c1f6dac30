import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HostNotPermittedError } from "@slipway/certificates/authority";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "@/lib/kernel/time";
import { findPrograms } from "@/scripts/lib/programs";
import { ensureLanCertificates, readLanAuthority } from "./lan-certificates";

const HOSTS = ["192.168.1.20", "mac.local", "localhost"];
const now = new Date();
const later = (days: number) => new Date(now.getTime() + days * DAY_MS);
let folder: string;

const read = (name: string) => readFile(join(folder, name), "utf8");

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "slipway-lan-")), "lan");
});

afterEach(() => rm(dirname(folder), { recursive: true }));

it("keeps the authority and the certificate over restarts, in files that only their owner can read", async () => {
  const first = await ensureLanCertificates(folder, HOSTS, now);
  expect(first).toMatchObject({ madeAuthority: true, madeCertificate: true });
  const files = [await read("authority.pem"), await read("server.pem")];
  const second = await ensureLanCertificates(folder, HOSTS, later(1));
  expect(second).toEqual({ ...first, madeAuthority: false, madeCertificate: false });
  expect([await read("authority.pem"), await read("server.pem")]).toEqual(files);
  expect((await readdir(folder)).sort()).toEqual(["authority.pem", "server.pem"]);
  for (const name of ["authority.pem", "server.pem"]) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
});

it("makes a new certificate when an address changes, with the same authority", async () => {
  const first = await ensureLanCertificates(folder, HOSTS, now);
  const root = await readLanAuthority(folder);
  const moved = await ensureLanCertificates(folder, ["10.0.0.7", "mac.local", "localhost"], now);
  expect(moved).toMatchObject({ madeAuthority: false, madeCertificate: true });
  expect(new X509Certificate(moved.chain).checkIP("10.0.0.7")).toBe("10.0.0.7");
  expect(new X509Certificate(moved.chain).checkIP("192.168.1.20")).toBeUndefined();
  expect(moved.key).not.toBe(first.key);
  expect((await readLanAuthority(folder))?.fingerprint256).toBe(root?.fingerprint256);
});

it("makes a new certificate a month before the old one ends, and keeps the authority for nearly ten years", async () => {
  await ensureLanCertificates(folder, HOSTS, now);
  expect(await ensureLanCertificates(folder, HOSTS, later(360))).toMatchObject({ madeCertificate: false });
  expect(await ensureLanCertificates(folder, HOSTS, later(370))).toMatchObject({
    madeAuthority: false,
    madeCertificate: true,
  });
  expect(await ensureLanCertificates(folder, HOSTS, later(3600))).toMatchObject({ madeAuthority: false });
  expect(await ensureLanCertificates(folder, HOSTS, later(3640))).toMatchObject({ madeAuthority: true });
});

it("makes another authority for a machine with another name", async () => {
  await ensureLanCertificates(folder, HOSTS, now);
  const root = await readLanAuthority(folder);
  expect(await ensureLanCertificates(folder, ["192.168.1.20", "other.local"], now)).toMatchObject({
    madeAuthority: true,
  });
  expect((await readLanAuthority(folder))?.fingerprint256).not.toBe(root?.fingerprint256);
});

it("refuses an address of the internet", async () => {
  await expect(ensureLanCertificates(folder, ["8.8.8.8"], now)).rejects.toThrow(HostNotPermittedError);
});

it("names a damaged file", async () => {
  await ensureLanCertificates(folder, HOSTS, now);
  await writeFile(join(folder, "authority.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  await expect(ensureLanCertificates(folder, HOSTS, now)).rejects.toThrow("authority.pem is damaged");
});

it("serves a chain that OpenSSL verifies with the certificate that devices trust", async ({ skip }) => {
  const openssl = findPrograms("openssl");
  if (openssl instanceof Error) skip(openssl.message);
  const { chain } = await ensureLanCertificates(folder, HOSTS, now);
  const dir = dirname(folder);
  const [leaf = "", issuer = ""] = chain.match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----\n/g) ?? [];
  const files = { "root.pem": String(await readLanAuthority(folder)), "issuer.pem": issuer, "leaf.pem": leaf };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  const path = (name: keyof typeof files) => join(dir, name);
  for (const host of [
    ["-verify_ip", "192.168.1.20"],
    ["-verify_hostname", "mac.local"],
  ]) {
    const verified = execFileSync(
      "openssl",
      [
        "verify",
        "-x509_strict",
        ...host,
        "-CAfile",
        path("root.pem"),
        "-untrusted",
        path("issuer.pem"),
        path("leaf.pem"),
      ],
      { encoding: "utf8" },
    );
    expect(verified).toContain(": OK");
  }
});
