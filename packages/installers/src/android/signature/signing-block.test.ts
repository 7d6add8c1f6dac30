import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  type BlockSigner,
  blockPairs,
  fingerprint,
  PROOF_OF_ROTATION,
  proofOfRotation,
  ROTATION_MIN_SDK,
  STRIPPING_PROTECTION,
} from "../../../testing/android-signing";
import { makeSigningIdentity } from "../../../testing/make-certificate";
import { MAX_SIGNATURE_VERIFICATIONS } from "../../limits";
import { parseSigningBlock } from "./signing-block";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const digest = createHash("sha256").update("contents").digest();
const first = makeSigningIdentity({ name: "First" });
const second = makeSigningIdentity({ name: "Second" });
const third = makeSigningIdentity({ name: "Third", keyType: "rsa" });
const signer = (more: Partial<BlockSigner> = {}): BlockSigner => ({ identity: first, digest, ...more });
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
};
/** A v3.1 signer that replaces `first` from Android 13 on. */
const rotated = (more: Partial<BlockSigner> = {}): BlockSigner => ({
  identity: second,
  digest,
  versions: [33, 0x7fffffff],
  attributes: [[PROOF_OF_ROTATION, proofOfRotation([first, second])]],
  ...more,
});

/** The fingerprints of the signers by scheme; null for an invalid scheme. */
function found(pairs: Uint8Array): Record<string, string[] | null> {
  const schemes = [...parseSigningBlock(pairs)];
  return Object.fromEntries(
    schemes.map(([scheme, { signers }]) => [scheme, signers?.map(({ sha256 }) => sha256) ?? null]),
  );
}

describe("an APK signing block", () => {
  it("has the certificates of all signers of v2, in order", () => {
    expect(found(blockPairs({ v2: [signer(), signer({ identity: third })] }))).toEqual({
      v2: [fingerprint(first), fingerprint(third)],
    });
  });

  it("lists the schemes from oldest to newest, in any order of pairs", () => {
    const v31 = blockPairs({ "v3.1": [rotated()] });
    const v3 = blockPairs({ v3: [signer({ attributes: [[ROTATION_MIN_SDK, number(33)]], versions: [24, 32] })] });
    const pairs = Buffer.concat([v31, v3, blockPairs({ v2: [signer()] })]);
    expect(Object.entries(found(pairs))).toEqual([
      ["v2", [fingerprint(first)]],
      ["v3", [fingerprint(first)]],
      ["v3.1", [fingerprint(second)]],
    ]);
  });

  it("is invalid when one of several signers is", () => {
    const broken = signer({ identity: third, signature: Buffer.alloc(256, 1) });
    expect(found(blockPairs({ v2: [signer(), broken] }))).toEqual({ v2: null });
  });

  it("is invalid when the certificate is of another key", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = publicKey.export({ type: "spki", format: "der" });
    expect(found(blockPairs({ v3: [signer({ publicKey: other })] }))).toEqual({ v3: null });
    const stranger = blockPairs({ v2: [signer({ identity: { ...first, certificate: second.certificate } })] });
    expect(found(stranger)).toEqual({ v2: null });
  });

  it("is invalid when the API levels outside of the signed data were changed", () => {
    const pairs = blockPairs({ v3: [signer({ versions: [28, 0x12345678] })] });
    const outside = pairs.lastIndexOf(number(0x12345678));
    pairs.writeUInt32LE(0x12345679, outside);
    expect(found(pairs)).toEqual({ v3: null });
  });

  it("is invalid when the v3 signature that v2 lists was stripped", () => {
    const attributes = [[STRIPPING_PROTECTION, number(3)]] as const;
    expect(found(blockPairs({ v2: [signer({ attributes })] }))).toEqual({ v2: null });
    const both = blockPairs({ v2: [signer({ attributes })], v3: [signer()] });
    expect(found(both)).toEqual({ v2: [fingerprint(first)], v3: [fingerprint(first)] });
  });

  it("is invalid when the rotation that v3 lists was stripped or changed", () => {
    const v3 = signer({ attributes: [[ROTATION_MIN_SDK, number(33)]] });
    expect(found(blockPairs({ v3: [v3] }))).toEqual({ v3: null });
    expect(found(blockPairs({ v3: [v3], "v3.1": [rotated({ versions: [34, 0x7fffffff] })] }))).toEqual({
      v3: null,
      "v3.1": [fingerprint(second)],
    });
  });

  it("is invalid with v3.1 but without v3", () => {
    expect(found(blockPairs({ v2: [signer()], "v3.1": [rotated()] }))).toEqual({
      v2: [fingerprint(first)],
      "v3.1": null,
    });
  });

  it("has the first signer of a proof of rotation", () => {
    const proof = proofOfRotation([first, second, third]);
    const pairs = blockPairs({ v3: [signer({ identity: third, attributes: [[PROOF_OF_ROTATION, proof]] })] });
    const v3 = parseSigningBlock(pairs).get("v3");
    expect(v3?.signers?.map(({ sha256 }) => sha256)).toEqual([fingerprint(third)]);
    expect(v3?.oldest.map(({ sha256 }) => sha256)).toEqual([fingerprint(first)]);
    expect(v3?.continued).toEqual([fingerprint(first), fingerprint(second)]);
  });

  it("continues only certificates whose apps the proof lets be updated", () => {
    const proof = proofOfRotation([first, second, third], { [fingerprint(second)]: 22 });
    const pairs = blockPairs({ v3: [signer({ identity: third, attributes: [[PROOF_OF_ROTATION, proof]] })] });
    expect(parseSigningBlock(pairs).get("v3")?.continued).toEqual([fingerprint(first)]);
    expect(parseSigningBlock(blockPairs({ v3: [signer()] })).get("v3")?.continued).toEqual([]);
  });

  it("is invalid with a proof of rotation that does not verify or ends with another signer", () => {
    const withProof = (proof: Uint8Array) =>
      found(blockPairs({ v3: [signer({ identity: second, attributes: [[PROOF_OF_ROTATION, proof]] })] }));
    expect(withProof(proofOfRotation([first, second]))).toEqual({ v3: [fingerprint(second)] });
    expect(withProof(proofOfRotation([second, first]))).toEqual({ v3: null });
    const forged = proofOfRotation([first, second]);
    forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
    expect(withProof(forged)).toEqual({ v3: null });
    expect(withProof(number(1))).toEqual({ v3: null });
  });

  it("is invalid with several proofs of rotation in one signer", () => {
    const proof = proofOfRotation([first, second]);
    const attributes = [PROOF_OF_ROTATION, PROOF_OF_ROTATION].map((id) => [id, proof] as const);
    expect(found(blockPairs({ v3: [signer({ identity: second, attributes })] }))).toEqual({ v3: null });
  });

  it("verifies a limited number of signatures, however long its lineages are", () => {
    const rotations = (count: number) => proofOfRotation(Array.from({ length: count + 1 }, () => first));
    const rotatedOften = (count: number) =>
      found(blockPairs({ v3: [signer({ attributes: [[PROOF_OF_ROTATION, rotations(count)]] })] }));
    // One verification is that of the signer.
    expect(rotatedOften(MAX_SIGNATURE_VERIFICATIONS - 1)).toEqual({ v3: [fingerprint(first)] });
    expect(rotatedOften(MAX_SIGNATURE_VERIFICATIONS)).toEqual({ v3: null });
  });

  it("may have pairs of other tools; the first pair of a scheme counts", () => {
    const other = Buffer.concat([Buffer.from("0c00000000000000", "hex"), number(0x12345678), Buffer.alloc(8)]);
    const pairs = Buffer.concat([
      other,
      blockPairs({ v2: [signer()] }),
      blockPairs({ v2: [signer({ identity: second })] }),
    ]);
    expect(found(pairs)).toEqual({ v2: [fingerprint(first)] });
  });

  it("ends where a pair is cut short", () => {
    const pairs = Buffer.concat([blockPairs({ v2: [signer()] }), Buffer.from("ffffffffffffffff", "hex")]);
    expect(found(pairs)).toEqual({ v2: [fingerprint(first)] });
    expect(found(Buffer.alloc(7))).toEqual({});
  });

  it("is invalid when the value of a scheme is empty or cut short", () => {
    const empty = Buffer.concat([Buffer.from("0400000000000000", "hex"), number(0x7109871a)]);
    expect(found(empty)).toEqual({ v2: null });
    const pairs = blockPairs({ v2: [signer()] });
    for (let length = 4; length < pairs.length - 8; length += 7) {
      const cut = Buffer.from(pairs.subarray(0, 8 + length));
      cut.writeBigUInt64LE(BigInt(length), 0);
      expect(found(cut)).toEqual({ v2: null });
    }
  });

  it("has no certificate when any byte of a signer was changed", () => {
    const pairs = blockPairs({ v2: [signer()] });
    const accepted = [fingerprint(first)];
    fc.assert(
      fc.property(fc.integer({ min: 12, max: pairs.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(pairs);
        damaged[at] = (damaged[at] as number) ^ change;
        const { v2 } = found(damaged);
        // Only the encoding of the key permits another byte, for the same key.
        expect(v2 === null || String(v2) === String(accepted)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
