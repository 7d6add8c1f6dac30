import { constants, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type HashName, parsePublicKey, type SignatureScheme, verifySignature } from "./public-key";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const MESSAGE = new TextEncoder().encode("signed data of an installer");

interface Case {
  name: string;
  scheme: SignatureScheme;
  keys: () => { publicKey: KeyObject; privateKey: KeyObject };
}

const rsa = (bits: number) => () => generateKeyPairSync("rsa", { modulusLength: bits });
const ec = (namedCurve: string) => () => generateKeyPairSync("ec", { namedCurve });

const CASES: Case[] = [
  ...(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const).map((hash) => ({
    name: `RSA PKCS #1 with ${hash}`,
    scheme: { padding: "pkcs1", hash } as const,
    keys: rsa(1024),
  })),
  { name: "RSA PKCS #1 of an odd size", scheme: { padding: "pkcs1", hash: "sha256" }, keys: rsa(1029) },
  { name: "RSA PSS with sha256", scheme: { padding: "pss", hash: "sha256" }, keys: rsa(2048) },
  { name: "RSA PSS with sha512", scheme: { padding: "pss", hash: "sha512" }, keys: rsa(2048) },
  {
    name: "RSA PSS whose modulus is one bit past whole bytes",
    scheme: { padding: "pss", hash: "sha256" },
    keys: rsa(1025),
  },
  {
    name: "DSA with sha256",
    scheme: { padding: "dsa", hash: "sha256" },
    keys: () => generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }),
  },
  { name: "ECDSA on P-256 with sha256", scheme: { padding: "ecdsa", hash: "sha256" }, keys: ec("P-256") },
  { name: "ECDSA on P-256 with sha512", scheme: { padding: "ecdsa", hash: "sha512" }, keys: ec("P-256") },
  { name: "ECDSA on P-384 with sha1", scheme: { padding: "ecdsa", hash: "sha1" }, keys: ec("P-384") },
  { name: "ECDSA on P-521 with sha512", scheme: { padding: "ecdsa", hash: "sha512" }, keys: ec("P-521") },
];

function signed(scheme: SignatureScheme, privateKey: KeyObject, message: Uint8Array): Uint8Array {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return new Uint8Array(
    sign(scheme.hash, message, scheme.padding === "pss" ? { key: privateKey, ...pss } : privateKey),
  );
}

describe.each(CASES)("$name", ({ scheme, keys }) => {
  let publicKey: KeyObject;
  let privateKey: KeyObject;
  let signature: Uint8Array;

  beforeAll(() => {
    ({ publicKey, privateKey } = keys());
    signature = signed(scheme, privateKey, MESSAGE);
  });

  const parsed = () => {
    const key = parsePublicKey(new Uint8Array(publicKey.export({ type: "spki", format: "der" })));
    if (!key) throw new Error("the key was not read");
    return key;
  };

  it("accepts signatures of node:crypto", () => {
    for (let round = 0; round < 5; round++) {
      expect(verifySignature(parsed(), scheme, MESSAGE, signed(scheme, privateKey, MESSAGE))).toBe(true);
    }
  });

  it("refuses the signature of another message", () => {
    expect(verifySignature(parsed(), scheme, MESSAGE.subarray(1), signature)).toBe(false);
  });

  it("refuses the signature under another hash", () => {
    const hash: HashName = scheme.hash === "sha256" ? "sha384" : "sha256";
    expect(verifySignature(parsed(), { ...scheme, hash }, MESSAGE, signature)).toBe(false);
  });

  it("refuses a signature with any bit changed, a truncated one and an empty one", () => {
    const key = parsed();
    for (const bit of fc.sample(fc.nat(8 * signature.length - 1), 12)) {
      const changed = signature.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(verifySignature(key, scheme, MESSAGE, changed)).toBe(false);
    }
    expect(verifySignature(key, scheme, MESSAGE, signature.subarray(1))).toBe(false);
    expect(verifySignature(key, scheme, MESSAGE, new Uint8Array())).toBe(false);
  });

  it("refuses the signature of another key", () => {
    const other = keys();
    expect(verifySignature(parsed(), scheme, MESSAGE, signed(scheme, other.privateKey, MESSAGE))).toBe(false);
  });
});

describe("parsePublicKey", () => {
  it("is null for random and damaged bytes", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const der = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.nat(255), (at, byte) => {
        const changed = der.slice();
        changed[at] = byte;
        const key = parsePublicKey(changed);
        // A key that is still accepted is on the curve, so the byte was replaced by itself.
        expect(key === null || byte === der[at]).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => parsePublicKey(bytes) === null));
  });
});
