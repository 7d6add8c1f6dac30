import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPLE_DEVICE_AUTHORITIES, CmsError, isIssuedBy, issueSigner, MAX_CMS_BYTES, signCms, verifyCms } from ".";

const folder = mkdtempSync(join(tmpdir(), "slipway-cms-"));
const path = (name: string) => join(folder, name);
const openssl = (...args: string[]) =>
  execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
const hasOpenssl = (() => {
  try {
    return openssl("version").toString().startsWith("OpenSSL");
  } catch {
    return false;
  }
})();
const DOCUMENT = "<plist><dict><key>CHALLENGE</key><string>c</string></dict></plist>";

/** Signs the document as a phone does whose certificate an authority signed. */
function signed(name: string, ...options: string[]): Buffer {
  openssl("cms", "-sign", "-binary", "-nodetach", "-outform", "DER", ...options, "-in", "document", "-out", name);
  return readFileSync(path(name));
}

const DEVICE = ["-signer", "device.pem", "-inkey", "device.key"];

function reasonOf(bytes: Uint8Array): string | null {
  try {
    verifyCms(bytes);
    return null;
  } catch (error) {
    if (error instanceof CmsError) return error.reason;
    throw error;
  }
}

it("is refused as malformed, before its parts are looked at, with more values than any device sends", () => {
  const nested = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
  };
  const signedData = Buffer.from([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]);
  const nulls = (count: number) => nested(0x30, Buffer.alloc(2 * count, "0500", "hex"));
  const message = (values: number) => nested(0x30, signedData, nested(0xa0, nulls(2)), nulls(values));
  expect(() => verifyCms(message(1_900))).toThrow("malformed: no content");
  expect(() => verifyCms(message(2_100))).toThrow("malformed: not CMS");
});

beforeAll(() => {
  if (!hasOpenssl) return;
  writeFileSync(path("document"), DOCUMENT);
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30"];
  openssl(...request, "-subj", "/CN=Device CA", "-keyout", "ca.key", "-out", "ca.pem");
  openssl(...request, "-subj", "/CN=Another CA", "-keyout", "other.key", "-out", "other.pem");
  // As the certificates of iPhones: 1,024 bits and SHA-1.
  openssl(
    "req",
    "-new",
    "-newkey",
    "rsa:1024",
    "-nodes",
    "-subj",
    "/CN=iPhone",
    "-keyout",
    "device.key",
    "-out",
    "device.csr",
  );
  openssl(
    "x509",
    "-req",
    "-in",
    "device.csr",
    "-sha1",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-set_serial",
    "7",
    "-out",
    "device.pem",
  );
  openssl(
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=EC",
    "-keyout",
    "ec.key",
    "-out",
    "ec.pem",
  );
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

const describeWithOpenssl = hasOpenssl ? describe : () => undefined;

describeWithOpenssl("a message that OpenSSL signed", () => {
  it.each([
    ["SHA-1 and RSA, as an iPhone", [...DEVICE, "-md", "sha1"]],
    ["SHA-256 and RSA", [...DEVICE, "-md", "sha256"]],
    ["RSA without signed attributes", [...DEVICE, "-noattr", "-md", "sha256"]],
    ["the chain in it", [...DEVICE, "-certfile", "ca.pem", "-md", "sha256"]],
    ["ECDSA", ["-signer", "ec.pem", "-inkey", "ec.key", "-md", "sha256"]],
  ])("is verified: %s", (_, options) => {
    const { content } = verifyCms(signed("message", ...options));
    expect(Buffer.from(content).toString()).toBe(DOCUMENT);
  });

  it("is issued by the authority that signed the certificate, and by no other", () => {
    const [authority, other] = ["ca.pem", "other.pem"].map((name) => new X509Certificate(readFileSync(path(name))));
    const verified = verifyCms(signed("message", ...DEVICE, "-md", "sha1"));
    expect(isIssuedBy(verified, [authority as X509Certificate])).toBe(true);
    expect(isIssuedBy(verified, [other as X509Certificate])).toBe(false);
    expect(isIssuedBy(verified, APPLE_DEVICE_AUTHORITIES)).toBe(false);
  });

  it("is refused with any byte changed, or is the same document of the same signer", () => {
    const message = signed("message", ...DEVICE, "-md", "sha256");
    const { signer } = verifyCms(message);
    const accepted: number[] = [];
    for (let at = 0; at < message.length; at += 1) {
      const changed = Uint8Array.from(message);
      changed[at] = (changed[at] as number) ^ 0x01;
      try {
        const verified = verifyCms(changed);
        expect(Buffer.from(verified.content).toString()).toBe(DOCUMENT);
        expect(verified.signer.publicKey.equals(signer.publicKey)).toBe(true);
        accepted.push(at);
      } catch (error) {
        expect(error).toBeInstanceOf(CmsError);
      }
    }
    // Versions, unused parameters of algorithms and the unsigned rest of the certificate.
    expect(accepted.length).toBeLessThan(message.length / 2);
  });

  it("is refused if nobody signed it, if the certificate is missing, if the document is missing, and if it is cut", () => {
    expect(reasonOf(signed("message", ...DEVICE, "-nocerts", "-md", "sha256"))).toBe("unsigned");
    const message = signed("message", ...DEVICE, "-md", "sha256");
    for (const end of [0, 1, 20, message.length - 1]) expect(reasonOf(message.subarray(0, end))).toBe("malformed");
    openssl("crl2pkcs7", "-nocrl", "-certfile", "device.pem", "-outform", "DER", "-out", "certificates");
    expect(reasonOf(readFileSync(path("certificates")))).toBe("malformed");
    openssl("cms", "-sign", "-binary", "-outform", "DER", ...DEVICE, "-in", "document", "-out", "detached");
    expect(reasonOf(readFileSync(path("detached")))).toBe("malformed");
    openssl("cms", "-data_create", "-outform", "DER", "-in", "document", "-out", "data");
    expect(reasonOf(readFileSync(path("data")))).toBe("malformed");
  });

  it("is refused if two signed it", () => {
    const both = [...DEVICE, "-signer", "ec.pem", "-inkey", "ec.key", "-md", "sha256"];
    expect(reasonOf(signed("message", ...both))).toBe("malformed");
  });
});

it("refuses bytes that are not CMS, and a message that is too long", () => {
  for (const bytes of [new Uint8Array(), Buffer.from("<plist/>"), new Uint8Array(1_000).fill(0x30)]) {
    expect(reasonOf(bytes)).toBe("malformed");
  }
  expect(reasonOf(new Uint8Array(MAX_CMS_BYTES + 1))).toBe("malformed");
});

describe("a message that the package signs", () => {
  it("is verified by the package", async () => {
    const signer = await issueSigner({ name: "Slipway", days: 3650, now: new Date() });
    const verified = verifyCms(signCms(Buffer.from(DOCUMENT), signer));
    expect(Buffer.from(verified.content).toString()).toBe(DOCUMENT);
    expect(verified.signer.subject).toContain("CN=Slipway");
    expect(verified.signer.verify(verified.signer.publicKey)).toBe(true);
  });

  it("is verified by OpenSSL", async ({ skip }) => {
    skip(!hasOpenssl, "OpenSSL is not installed");
    const signer = await issueSigner({ name: "Slipway", days: 3650, now: new Date() });
    writeFileSync(path("signed"), signCms(Buffer.from(DOCUMENT), signer));
    writeFileSync(path("signer.pem"), new X509Certificate(signer.certificate).toString());
    const verified = openssl(
      "cms",
      "-verify",
      "-binary",
      "-inform",
      "DER",
      "-in",
      "signed",
      "-CAfile",
      "signer.pem",
      "-purpose",
      "any",
    );
    expect(verified.toString()).toBe(DOCUMENT);
  });
});
