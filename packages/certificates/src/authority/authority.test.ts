import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../time";
import {
  type Authority,
  HostNotPermittedError,
  issueForHosts,
  issueServerCertificate,
  makeAuthority,
  permits,
} from ".";
import { isInSubtree, isLocalAddress } from "./hosts";

const now = new Date();
const HOSTS = ["mac.local", "localhost", "192.168.1.20", "fd00::20"];
const folder = mkdtempSync(join(tmpdir(), "slipway-authority-"));
let authority: Authority;

const pem = (der: Uint8Array) => new X509Certificate(der).toString();

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const hasOpenssl = openssl("version").startsWith("OpenSSL");

/** Runs OpenSSL, which verifies independently of the code under test. */
function openssl(...args: string[]): string {
  try {
    return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string | null; stderr: string | null };
    return `${stdout ?? ""}${stderr ?? ""}`;
  }
}

/** Verifies a server's certificate as a device does that trusts the root. */
function verify(leaf: Uint8Array, host: string, { root = authority.root } = {}): string {
  const kind = /^[\d.]+$|:/.test(host) ? "-verify_ip" : "-verify_hostname";
  return openssl(
    "verify",
    ...["-x509_strict", "-purpose", "sslserver", kind, host],
    ...["-CAfile", write("root.pem", pem(root)), "-untrusted", write("issuer.pem", pem(authority.issuer.certificate))],
    write("leaf.pem", pem(leaf)),
  );
}

beforeAll(async () => {
  authority = await makeAuthority({ name: "Slipway on mac.local", names: ["mac.local", "localhost"], now });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("an authority for one machine", () => {
  beforeEach(({ skip }) => skip(!hasOpenssl, "OpenSSL is not installed"));

  it("signs a certificate that OpenSSL verifies for each of its hosts, and for no other", async () => {
    const { certificate } = await issueServerCertificate(authority.issuer, HOSTS, now);
    for (const host of HOSTS) expect(verify(certificate, host)).toContain(": OK");
    expect(verify(certificate, "192.168.1.21")).toContain("IP address mismatch");
    expect(verify(certificate, "other.local")).toContain("hostname mismatch");
  });

  it("issues certificates that Apple's devices accept: names in the SAN, serverAuth, P-256, less than 398 days", async () => {
    const { certificate } = await issueServerCertificate(authority.issuer, HOSTS, now);
    const text = openssl("x509", "-noout", "-text", "-in", write("leaf.pem", pem(certificate)));
    expect(text).toContain("DNS:mac.local, DNS:localhost, IP Address:192.168.1.20, IP Address:FD00:0:0:0:0:0:0:20");
    expect(text).toMatch(/Extended Key Usage:\s+TLS Web Server Authentication\n/);
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toContain("ASN1 OID: prime256v1");
    expect(text).toContain("Signature Algorithm: ecdsa-with-SHA256");
    const { validFromDate, validToDate } = new X509Certificate(certificate);
    expect((validToDate.getTime() - validFromDate.getTime()) / DAY_MS).toBeLessThan(398);
    expect(validFromDate.getTime()).toBeLessThan(now.getTime());
  });

  it("has critical constraints in the root and in the issuer, and no key of the root", () => {
    for (const der of [authority.root, authority.issuer.certificate]) {
      const text = openssl("x509", "-noout", "-text", "-in", write("authority.pem", pem(der)));
      const [, constraints = ""] = /Name Constraints: critical\n([\s\S]*?)\n {12}X509v3/.exec(text) ?? [];
      expect(constraints).toContain("DNS:mac.local");
      expect(constraints).toContain("IP:192.168.0.0/255.255.0.0");
      expect(constraints).toContain("IP:FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0");
      expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    }
    expect(authority.issuer.certificate).not.toEqual(authority.root);
    const issuer = new X509Certificate(authority.issuer.certificate);
    expect(issuer.publicKey.equals(new X509Certificate(authority.root).publicKey)).toBe(false);
  });

  it("refuses to sign for a host outside its constraints", async () => {
    for (const host of ["example.com", "8.8.8.8", "mac.local.example.com", "notmac.local", "2001:db8::1", "local"]) {
      expect(permits(authority.issuer.certificate, host)).toBe(false);
      await expect(issueServerCertificate(authority.issuer, ["mac.local", host], now)).rejects.toThrow(
        HostNotPermittedError,
      );
    }
  });

  it.each(["example.com", "apple.com", "notmac.local", "8.8.8.8", "172.32.0.1", "2001:db8::1"])(
    "is no use to a thief of its key: OpenSSL refuses a certificate for %s",
    async (host) => {
      const forged = await issueForHosts(authority.issuer, [host], now);
      expect(verify(forged.certificate, host)).toContain("permitted subtree violation");
      // Also where the constraints of the root itself are not applied.
      const partial = openssl(
        "verify",
        "-partial_chain",
        ...["-CAfile", write("issuer.pem", pem(authority.issuer.certificate))],
        write("leaf.pem", pem(forged.certificate)),
      );
      expect(partial).toContain("permitted subtree violation");
    },
  );

  it("can neither sign another authority nor anything but servers", async () => {
    const other = await makeAuthority({ name: "Another", names: ["mac.local"], now });
    const { certificate } = await issueServerCertificate(other.issuer, ["mac.local"], now);
    expect(verify(certificate, "mac.local")).toMatch(/unable to get local issuer|verification failed/);
    const text = openssl("x509", "-noout", "-text", "-in", write("issuer.pem", pem(authority.issuer.certificate)));
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(text).toMatch(/Extended Key Usage:\s+TLS Web Server Authentication\n/);
  });

  it("permits exactly the local addresses, as ranges of bytes say", () => {
    const isLocal = ([a = 0, b = 0]: readonly number[]) =>
      [10, 127].includes(a) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254);
    const first = fc.oneof(fc.nat(255), fc.constantFrom(10, 100, 127, 169, 172, 192));
    const second = fc.oneof(fc.nat(255), fc.constantFrom(15, 16, 31, 32, 63, 64, 127, 128, 168, 254));
    fc.assert(
      fc.property(fc.tuple(first, second, fc.nat(255), fc.nat(255)), (bytes) => {
        expect(isLocalAddress(bytes.join("."))).toBe(isLocal(bytes));
        expect(permits(authority.issuer.certificate, bytes.join("."))).toBe(isLocal(bytes));
      }),
    );
  });

  it("permits a name exactly if it is one of its own or below it", () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,6}$/);
    fc.assert(
      fc.property(
        fc.array(label, { maxLength: 3 }),
        fc.constantFrom("mac.local", "local", "xmac.local", "com"),
        (labels, end) => {
          const name = [...labels, end].join(".");
          const own = name === "mac.local" || name.endsWith(".mac.local");
          expect(isInSubtree(name, "mac.local")).toBe(own);
          expect(permits(authority.issuer.certificate, name)).toBe(own);
        },
      ),
    );
  });
});
