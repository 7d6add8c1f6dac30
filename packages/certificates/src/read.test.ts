import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { certificateSample, SAMPLE_PASSWORD, type SampleName, sampleFacts } from "../testing/index";
import { CertificateFileError } from "./errors";
import { MAX_FILE_BYTES } from "./limits";
import { readCertificateFile } from "./read";

const password = SAMPLE_PASSWORD;
const read = (name: SampleName, options: { password?: string; fileName?: string } = {}) =>
  readCertificateFile(certificateSample(name), { fileName: name, ...options });

const { leaf, root } = sampleFacts;
const leafFacts = {
  subject: leaf.subject,
  issuer: leaf.issuer,
  serialNumber: leaf.serialNumber,
  keyAlgorithm: "RSA 2048",
  expirationDate: new Date(leaf.notAfter),
  opened: true,
};
const chainFacts = { ...leafFacts, chainLength: 2 };
const unknown = { subject: undefined, issuer: undefined, serialNumber: undefined, expirationDate: undefined };

describe("an X.509 certificate", () => {
  it.each(["leaf.pem", "leaf.der", "leaf-trusted.pem"] as const)("is read from %s", async (name) => {
    expect(await read(name)).toMatchObject({ ...leafFacts, hasPrivateKey: false, chainLength: 1 });
  });

  it.each([
    ["UTF-16 with a byte order mark", "\uFEFF", (text: Buffer) => text],
    ["UTF-16 without one", "", (text: Buffer) => text],
    ["big-endian UTF-16", "\uFEFF", (text: Buffer) => text.swap16()],
    ["big-endian UTF-16 without a mark", "", (text: Buffer) => text.swap16()],
  ])("is read from PEM in %s", async (_encoding, mark, order) => {
    const bytes = order(Buffer.from(mark + Buffer.from(certificateSample("leaf.pem")).toString("latin1"), "utf16le"));
    expect(await readCertificateFile(bytes, { fileName: "leaf.pem" })).toMatchObject(leafFacts);
  });

  it("is described with the SHA-256 of the file's own bytes", async () => {
    const sha256 = createHash("sha256").update(certificateSample("leaf.pem")).digest("hex");
    expect((await read("leaf.pem")).sha256).toBe(sha256);
  });

  it("on an elliptic curve is told with the curve", async () => {
    expect(await read("root.der")).toMatchObject({ keyAlgorithm: "EC P-384", subject: root.subject });
  });

  it("among others gives the subject if it is the end entity, and the earliest date counts", async () => {
    expect(await read("chain.pem")).toMatchObject({ ...chainFacts, hasPrivateKey: false });
  });
});

describe("the format", () => {
  it.each([
    ["leaf.pem", "a.der", "pem"],
    ["leaf.pem", "a.crt", "crt"],
    ["leaf.pem", "a", "pem"],
    ["leaf.pem", "a.p12", "pem"],
    ["leaf.der", "a.pem", "der"],
    ["leaf.der", "A.CER", "cer"],
    ["key-and-chain.pem", "a.key", "key"],
    ["leaf.pem", "a.key", "pem"],
    ["ec-pkcs8.pem", "a.key", "key"],
    ["ec-pkcs8.pem", "a.pem", "pem"],
    ["ec-pkcs8.der", "a.der", "der"],
    ["chain.p7b", "a.p7c", "p7c"],
    ["chain.p7b", "a.pem", "p7b"],
    ["not-encrypted.p12", "a.pfx", "pfx"],
    ["not-encrypted.p12", "a.cer", "p12"],
  ] as const)("of %s under the name %s is %s", async (name, fileName, format) => {
    expect((await read(name, { fileName })).format).toBe(format);
  });
});

describe("a private key", () => {
  it.each([
    ["leaf-pkcs1.pem", "RSA 2048"],
    ["leaf-pkcs1.der", "RSA 2048"],
    ["ec-sec1.pem", "EC P-256"],
    ["ec-sec1.der", "EC P-256"],
    ["ec-pkcs8.pem", "EC P-256"],
    ["ec-pkcs8.der", "EC P-256"],
    ["ed25519.pem", "Ed25519"],
  ] as const)("is read from %s", async (name, keyAlgorithm) => {
    expect(await read(name)).toMatchObject({
      ...unknown,
      keyAlgorithm,
      hasPrivateKey: true,
      opened: true,
      chainLength: 0,
    });
  });

  it.each([
    ["ec-pkcs8-aes256.pem", "EC P-256"],
    ["ec-pkcs8-des3.der", "EC P-256"],
    ["ec-pkcs8-2des.pem", "EC P-256"],
    ["ec-pkcs8-md5-des.pem", "EC P-256"],
    ["ec-pkcs8-scrypt.pem", "EC P-256"],
    ["leaf-pkcs1-aes192.pem", "RSA 2048"],
    ["ec-sec1-des3.pem", "EC P-256"],
  ] as const)("in %s opens with its password, and without one is kept as it is", async (name, keyAlgorithm) => {
    expect(await read(name, { password })).toMatchObject({ keyAlgorithm, hasPrivateKey: true, opened: true });
    expect(await read(name)).toMatchObject({ ...unknown, keyAlgorithm: undefined, hasPrivateKey: true, opened: false });
    for (const wrong of ["wrong", ""]) {
      await expect(read(name, { password: wrong })).rejects.toMatchObject({ reason: "wrong_password" });
    }
  });

  it("in an encryption that is not known is refused with that reason", async () => {
    const text = Buffer.from(certificateSample("ec-sec1-des3.pem")).toString("latin1");
    const bytes = Buffer.from(text.replace("DES-EDE3-CBC", "CAMELLIA-256-CBC"), "latin1");
    const reading = readCertificateFile(bytes, { fileName: "key.pem", password });
    await expect(reading).rejects.toMatchObject({ reason: "unsupported_encryption" });
  });

  it("beside certificates is told, and the certificate counts", async () => {
    expect(await read("key-and-chain.pem")).toMatchObject({ ...chainFacts, hasPrivateKey: true });
  });

  it("is not a public key", async () => {
    expect(await read("leaf-public.pem")).toMatchObject({ keyAlgorithm: "RSA 2048", hasPrivateKey: false });
  });
});

describe("PKCS#7", () => {
  it.each(["chain.p7b", "chain-pem.p7b", "streamed.p7b"] as const)("is read from %s", async (name) => {
    expect(await read(name)).toMatchObject({ ...chainFacts, hasPrivateKey: false });
  });

  it("without certificates is refused", async () => {
    await expect(read("empty.p7c")).rejects.toMatchObject({ reason: "invalid_format" });
  });
});

describe("PKCS#12", () => {
  it.each([
    ["modern.p12", password],
    ["legacy.p12", "Pässwörd €"],
    ["rc2-128.p12", password],
    ["rc4.p12", password],
    ["one-iteration.p12", password],
    ["keytool.p12", password],
  ] as const)("in %s opens with its password, and without one is kept as it is", async (name, rightPassword) => {
    expect(await read(name, { password: rightPassword })).toMatchObject({ ...chainFacts, hasPrivateKey: true });
    expect(await read(name)).toMatchObject({ ...unknown, opened: false, chainLength: 0 });
    await expect(read(name, { password: "wrong" })).rejects.toMatchObject({ reason: "wrong_password" });
  });

  it.each(["empty-password.p12", "legacy-empty-password.p12"] as const)(
    "in %s opens without a password",
    async (name) => {
      for (const given of [undefined, ""]) {
        expect(await read(name, { password: given })).toMatchObject({ ...chainFacts, hasPrivateKey: true });
      }
      await expect(read(name, { password: "wrong" })).rejects.toMatchObject({ reason: "wrong_password" });
    },
  );

  it("without a MAC opens with its password; without one, what is not encrypted is told", async () => {
    expect(await read("no-mac.p12", { password })).toMatchObject({ ...chainFacts, hasPrivateKey: true });
    expect(await read("no-mac.p12")).toMatchObject({ ...chainFacts, hasPrivateKey: true, opened: false });
    await expect(read("no-mac.p12", { password: "wrong" })).rejects.toMatchObject({ reason: "wrong_password" });
  });

  it("that is not encrypted is held against its password by the MAC alone", async () => {
    expect(await read("not-encrypted.p12", { password })).toMatchObject({ ...chainFacts, hasPrivateKey: true });
    await expect(read("not-encrypted.p12", { password: "wrong" })).rejects.toMatchObject({ reason: "wrong_password" });
  });
});

describe("the private keys of PKCS#12", () => {
  it.each([
    ["keytool.p12", password],
    ["not-encrypted.p12", password],
    ["empty-password.p12", undefined],
  ] as const)("are told with the alias that Java has for them, from %s", async (name, given) => {
    expect((await read(name, { password: given })).keys).toEqual([{ alias: "1", opened: true }]);
  });

  it("that have another password than the file open with it, and are else told as they are", async () => {
    const open = (options: { password?: string; keyPassword?: string }) =>
      readCertificateFile(certificateSample("key-password.p12"), { fileName: "a.p12", ...options });
    const keys = (opened: boolean) => ({ keys: [{ alias: "app", opened }], opened, chainLength: 2 });
    expect(await open({ password, keyPassword: "other" })).toMatchObject(keys(true));
    expect(await open({ password })).toMatchObject(keys(false));
    expect(await open({ password, keyPassword: "wrong" })).toMatchObject(keys(false));
    await expect(open({ password: "other", keyPassword: "other" })).rejects.toMatchObject({ reason: "wrong_password" });
  });

  it("are none in other files", async () => {
    expect((await read("key-and-chain.pem")).keys).toEqual([]);
  });
});

describe("a keystore of Java (JKS)", () => {
  const open = (name: "keytool.jks" | "key-password.jks", options: { password?: string; keyPassword?: string } = {}) =>
    readCertificateFile(certificateSample(name), { fileName: "upload.keystore", ...options });

  it("is read with its password, whatever the file is called", async () => {
    expect(await open("keytool.jks", { password })).toMatchObject({
      ...chainFacts,
      format: "jks",
      opened: true,
      hasPrivateKey: true,
      keys: [{ alias: "app", opened: true }],
    });
  });

  it("tells its certificates without the password", async () => {
    const keys = [{ alias: "app", opened: false }];
    expect(await open("keytool.jks")).toMatchObject({ ...chainFacts, opened: false, hasPrivateKey: true, keys });
    await expect(open("keytool.jks", { password: "other" })).rejects.toMatchObject({ reason: "wrong_password" });
  });

  it("whose key has another password opens with it, and is else told as it is", async () => {
    const keys = (opened: boolean) => ({ opened, keys: [{ alias: "app", opened }] });
    expect(await open("key-password.jks", { password, keyPassword: "other-key" })).toMatchObject(keys(true));
    expect(await open("key-password.jks", { password })).toMatchObject(keys(false));
    expect(await open("key-password.jks", { password, keyPassword: "wrong" })).toMatchObject(keys(false));
  });

  it("that is cut off, or has more than its entries, is damaged, whatever the password is", async () => {
    const bytes = certificateSample("keytool.jks");
    for (const file of [bytes.subarray(0, bytes.length / 2), Buffer.concat([bytes, Buffer.alloc(100)])]) {
      const refused = readCertificateFile(file, { fileName: "a.jks", password });
      await expect(refused).rejects.toMatchObject({ reason: "read_error" });
    }
  });

  it("with a changed byte is refused with its password, and no cut or changed byte does more than a refusal", async () => {
    const bytes = certificateSample("keytool.jks");
    const changed = Uint8Array.from(bytes);
    changed[bytes.length - 40] = (changed[bytes.length - 40] as number) ^ 1;
    const refused = readCertificateFile(changed, { fileName: "a.jks", password });
    await expect(refused).rejects.toMatchObject({ reason: "wrong_password" });
    for (let at = 4; at < bytes.length; at += 97) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = 0xff;
      for (const file of [damaged, bytes.subarray(0, at)]) {
        const outcome = await readCertificateFile(file, { fileName: "a.jks" }).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CertificateFileError);
      }
    }
  });
});

describe("a file that is refused", () => {
  const text = (content: string) => new TextEncoder().encode(content);
  it.each([
    ["empty", new Uint8Array(), "invalid_format"],
    ["a JPEG", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46), "invalid_format"],
    ["a keystore of Java in the format JCEKS", certificateSample("keytool.jceks"), "java_keystore"],
    ["a keystore of Java that is cut off", Uint8Array.of(0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 0), "read_error"],
    ["text", text("0123456789"), "invalid_format"],
    ["a certification request", certificateSample("request.der"), "invalid_format"],
    ["PEM of another kind", text("-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n"), "invalid_format"],
    ["cut off", certificateSample("leaf.der").subarray(0, 500), "read_error"],
    ["PEM that is cut off", certificateSample("leaf.pem").subarray(0, 500), "read_error"],
    ["PEM that is not base64", text("-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n"), "read_error"],
    ["too large", new Uint8Array(MAX_FILE_BYTES + 1), "too_large"],
  ] as const)("is %s", async (_what, bytes, reason) => {
    const failure = await readCertificateFile(bytes, { fileName: "a.pem" }).catch((error) => error);
    expect(failure).toBeInstanceOf(CertificateFileError);
    expect(failure.reason).toBe(reason);
  });
});

describe("a PEM file", () => {
  it("is read with a byte order mark, Windows line breaks and text around its blocks", async () => {
    const pem = new TextDecoder().decode(certificateSample("leaf.pem")).replaceAll("\n", "\r\n");
    const bytes = new TextEncoder().encode(`\ufeffBag Attributes: none\r\n${pem}\r\nsubject=/CN=x\r\n`);
    expect(await readCertificateFile(bytes, { fileName: "a.pem" })).toMatchObject(leafFacts);
  });
});
