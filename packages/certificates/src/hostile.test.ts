import { createHmac, pbkdf2Sync } from "node:crypto";
import { type AsnType, fromBER, Integer, Null, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { describe, expect, it } from "vitest";
import { certificateSample, SAMPLE_NAMES, SAMPLE_PASSWORD, type SampleName } from "../testing/index";
import { CertificateFileError } from "./errors";
import * as limits from "./limits";
import { readCertificateFile, readWithin } from "./read";
import { Work } from "./work";

const password = SAMPLE_PASSWORD;
const fileName = "a.p12";

/** Mulberry32: the same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function expectBounded(work: Work): void {
  // Work is counted before it is done, so the last part, which is refused, may be counted too.
  expect(work.parsedBytes).toBeLessThanOrEqual(limits.MAX_PARSED_BYTES + limits.MAX_FILE_BYTES);
  expect(work.decryptedBytes).toBeLessThanOrEqual(limits.MAX_DECRYPTED_BYTES + limits.MAX_FILE_BYTES);
  expect(work.iterations).toBeLessThanOrEqual(limits.MAX_ITERATIONS);
  expect(work.slowIterations).toBeLessThanOrEqual(limits.MAX_SLOW_ITERATIONS);
  expect(work.keyDerivations).toBeLessThanOrEqual(limits.MAX_KEY_DERIVATIONS);
}

/** DER of a length that needs the long form. */
function wrap(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  const whole = new Uint8Array(length + 5);
  whole.set([tag, 0x83, length >>> 16, (length >>> 8) & 0xff, length & 0xff]);
  whole.set(content, 5);
  return whole;
}

/** A sample of PKCS#12 with one of its ASN.1 values changed. */
function changed(name: SampleName, change: (pfx: Sequence) => void): Uint8Array {
  const pfx = fromBER(certificateSample(name)).result as Sequence;
  change(pfx);
  return new Uint8Array(pfx.toBER());
}

const at = (value: AsnType, ...path: number[]): AsnType =>
  path.reduce((parent, index) => (parent as Sequence).valueBlock.value[index] as AsnType, value);

describe("a hostile file", () => {
  it.each([2 ** 31 - 1, 2 ** 40, limits.MAX_ITERATIONS + 1, limits.MAX_SLOW_ITERATIONS + 1, 0, -1])(
    "that asks for %i iterations is refused before the first one",
    async (iterations) => {
      const bytes = changed("modern.p12", (pfx) => {
        const { value } = (at(pfx, 2) as Sequence).valueBlock;
        value[2] = Integer.fromBigInt(BigInt(iterations));
      });
      const work = new Work();
      await expect(readWithin(work, bytes, { fileName, password })).rejects.toMatchObject({ reason: "read_error" });
      expect(work.iterations).toBe(0);
    },
  );

  it("with as many iterations as NSS writes is read, and without a password costs no more than one derivation", async () => {
    const bytes = changed("modern.p12", (pfx) => {
      const { value } = (at(pfx, 2) as Sequence).valueBlock;
      value[2] = Integer.fromBigInt(600_000n);
    });
    const work = new Work();
    // The MAC is of another number, so no password fits, and nothing is decrypted.
    await readWithin(work, bytes, { fileName });
    expect(work.iterations).toBe(600_000);
  });

  it("that asks for a costly scrypt is refused before it runs", async () => {
    const [, content = ""] =
      /-----\n([^-]*)-----/.exec(Buffer.from(certificateSample("ec-pkcs8-scrypt.pem")).toString()) ?? [];
    // The block size, between the cost of 16,384 and the parallelization of 1.
    const der = Buffer.from(content, "base64").toString("hex").replace("020240000201080201", "0202400002017f0201");
    const work = new Work();
    const reading = readWithin(work, Buffer.from(der, "hex"), { fileName, password });
    await expect(reading).rejects.toMatchObject({ reason: "read_error" });
    expect(work.iterations).toBe(0);
  });

  it("with many keys is refused at a bounded number of derivations", async () => {
    const bytes = changed("one-iteration.p12", (pfx) => {
      (pfx.valueBlock.value as AsnType[]).length = 2;
      const content = at(pfx, 1, 1, 0) as OctetString;
      const safe = fromBER(content.getValue()).result as Sequence;
      const keys = at(safe, 1, 1, 0) as OctetString;
      const bags = fromBER(keys.getValue()).result as Sequence;
      bags.valueBlock.value = Array(200).fill(bags.valueBlock.value[0]);
      (at(safe, 1, 1) as Sequence).valueBlock.value = [new OctetString({ valueHex: bags.toBER() })];
      (at(pfx, 1, 1) as Sequence).valueBlock.value = [new OctetString({ valueHex: safe.toBER() })];
    });
    const work = new Work();
    await expect(readWithin(work, bytes, { fileName, password })).rejects.toMatchObject({ reason: "read_error" });
    expect(work.keyDerivations).toBe(limits.MAX_KEY_DERIVATIONS);
  });

  it.each([
    ["nested values of indefinite length", new Uint8Array(limits.MAX_FILE_BYTES).map((_, i) => (i % 2 ? 0x80 : 0x30))],
    [
      "a million values",
      wrap(
        0x30,
        new Uint8Array(1_000_000).map((_, i) => (i % 2 ? 0 : 5)),
      ),
    ],
    [
      "a SEQUENCE of empty SEQUENCEs",
      wrap(
        0x30,
        new Uint8Array(1_000_000).map((_, i) => (i % 2 ? 0 : 0x30)),
      ),
    ],
    ["an endless PEM label", new TextEncoder().encode("-----BEGIN ".repeat(90_000))],
    ["many PEM blocks", new TextEncoder().encode("-----BEGIN X-----\n-----END X-----\n".repeat(30_000))],
  ])("of %s is refused", async (_what, bytes) => {
    const work = new Work();
    const failure = await readWithin(work, bytes, { fileName }).catch((error) => error);
    expect(failure).toBeInstanceOf(CertificateFileError);
    expectBounded(work);
  });

  it("of nested octet strings in octet strings is not followed", async () => {
    let inner: Uint8Array = new Uint8Array(1_000);
    for (let depth = 0; depth < 5_000; depth++) inner = wrap(4, inner);
    const work = new Work();
    const bytes = wrap(0x30, wrap(0x30, Uint8Array.of(6, 1, 0x2a, ...inner)));
    await expect(readWithin(work, bytes, { fileName })).rejects.toBeInstanceOf(CertificateFileError);
    expectBounded(work);
  });

  it("of more certificates than the limit is refused", async () => {
    const bytes = new TextEncoder().encode(new TextDecoder().decode(certificateSample("root.pem")).repeat(1_100));
    await expect(readCertificateFile(bytes.subarray(0, limits.MAX_FILE_BYTES), { fileName })).rejects.toMatchObject({
      reason: "read_error",
    });
  });

  it("that was changed at random is read or refused with a reason, within the limits", async () => {
    const next = random(20_261_122);
    const samples = SAMPLE_NAMES.map((name) => certificateSample(name));
    const outcomes = new Map<string, number>();
    for (let run = 0; run < 1_500; run++) {
      const bytes = Uint8Array.from(samples[run % samples.length] as Uint8Array);
      for (let count = 1 + Math.floor(next() * 4); count > 0; count--) {
        bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      }
      const cut = next() < 0.1 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
      const work = new Work();
      const outcome = await readWithin(work, cut, { fileName, password: next() < 0.7 ? password : undefined }).then(
        () => "read",
        (error) => (error instanceof CertificateFileError ? error.reason : `untyped: ${error.stack}`),
      );
      expectBounded(work);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual([
      "invalid_format",
      "java_keystore",
      "read",
      "read_error",
      "unsupported_encryption",
      "wrong_password",
    ]);
  });
});

describe("PBMAC1 (RFC 9579)", () => {
  const salt = Buffer.from("0011223344556677", "hex");
  const algorithm = (oid: string, ...parameters: AsnType[]) =>
    new Sequence({ value: [new ObjectIdentifier({ value: oid }), ...parameters] });

  /** modern.p12 with a MAC by PBKDF2 in the place of its own. */
  const bytes = changed("modern.p12", (pfx) => {
    const data = Buffer.from((at(pfx, 1, 1, 0) as OctetString).getValue());
    const mac = createHmac("sha512", pbkdf2Sync(password, salt, 2_048, 64, "sha256"))
      .update(data)
      .digest();
    const derivation = algorithm(
      "1.2.840.113549.1.5.12",
      new Sequence({
        value: [
          new OctetString({ valueHex: salt }),
          new Integer({ value: 2_048 }),
          new Integer({ value: 64 }),
          algorithm("1.2.840.113549.2.9", new Null()),
        ],
      }),
    );
    const scheme = algorithm("1.2.840.113549.2.11", new Null());
    const digest = algorithm("1.2.840.113549.1.5.14", new Sequence({ value: [derivation, scheme] }));
    pfx.valueBlock.value[2] = new Sequence({
      value: [
        new Sequence({ value: [digest, new OctetString({ valueHex: mac })] }),
        new OctetString({ valueHex: Buffer.from("NOT USED") }),
        new Integer({ value: 1 }),
      ],
    });
  });

  it("protects a PKCS#12 file like the older MAC", async () => {
    expect(await readCertificateFile(bytes, { fileName, password })).toMatchObject({ opened: true, chainLength: 2 });
    await expect(readCertificateFile(bytes, { fileName, password: "wrong" })).rejects.toMatchObject({
      reason: "wrong_password",
    });
  });
});
