import { execFileSync } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calculateJwkThumbprint } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPrograms } from "@/scripts/lib/programs";
import { FIRST_HASH } from "./chain";
import {
  type Checkpoint,
  checkpointSchema,
  headOf,
  isSigned,
  keyIdOf,
  signCheckpoint,
  signedBytes,
} from "./checkpoint";

// The private key of the first test vector of RFC 8032, section 7.1.
const VECTOR = createPrivateKey({
  key: Buffer.from(
    "302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "hex",
  ),
  format: "der",
  type: "pkcs8",
});
const HEAD = { id: "1234", hash: "ab".repeat(32) };
const now = new Date("2026-11-22T12:00:00.123Z");

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "checkpoint-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function signed(): Checkpoint {
  return signCheckpoint(HEAD, { console: "https://slipway.example", now, kid: keyIdOf(VECTOR), key: VECTOR });
}

describe("a checkpoint of the audit log", () => {
  it("says how many records there were and the hash of the last one, signed by a key of the given ID", async () => {
    const checkpoint = signed();
    expect(checkpointSchema.parse(JSON.parse(JSON.stringify(checkpoint)))).toEqual(checkpoint);
    expect(checkpoint).toMatchObject({
      version: 1,
      console: "https://slipway.example/",
      records: 1234,
      headHash: HEAD.hash,
      createdAt: "2026-11-22T12:00:00.123Z",
      kid: await calculateJwkThumbprint(createPublicKey(VECTOR).export({ format: "jwk" })),
    });
    expect(headOf(checkpoint)).toEqual(HEAD);
    expect(isSigned(checkpoint)).toBe(true);
  });

  it("has one form for an empty log", () => {
    const checkpoint = signCheckpoint(null, { console: "https://slipway.example", now, kid: "k", key: VECTOR });
    expect([checkpoint.records, checkpoint.headHash, headOf(checkpoint)]).toEqual([0, FIRST_HASH, null]);
  });

  it("is signed over its other members in the form of RFC 8785, whatever their order in the file", () => {
    const { signature, ...members } = signed();
    const text = signedBytes(members).toString();
    expect(text).toMatch(
      /^\{"console":"https:\/\/slipway.example\/","createdAt":"2026[^"]+","headHash":"(ab){32}","kid":/,
    );
    expect(text).toMatch(
      /"publicKey":"MCowBQYDK2VwAyEA11qYAYKxCrfVS\/7TyWQHOg7hcvPapiMlrwIaaPcHURo=","records":1234,"version":1\}$/,
    );
    const reversed = Object.fromEntries(Object.entries({ ...members, signature }).reverse()) as Checkpoint;
    expect(isSigned(reversed)).toBe(true);
  });

  it.each([
    ["records", 1233],
    ["headHash", "cd".repeat(32)],
    ["console", "https://other.example/"],
    ["createdAt", "2026-11-22T12:00:00.124Z"],
    ["kid", "other"],
    ["signature", Buffer.alloc(64).toString("base64")],
    ["publicKey", "AAAA"],
  ])("is not signed with another %s", (member, value) => {
    expect(isSigned({ ...signed(), [member]: value })).toBe(false);
  });

  it("is not signed by another key under the same ID", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const forged = signCheckpoint(HEAD, {
      console: "https://slipway.example",
      now,
      kid: keyIdOf(VECTOR),
      key: privateKey,
    });
    expect(verify(null, signedBytes(forged), publicKey, Buffer.from(forged.signature, "base64"))).toBe(true);
    expect(isSigned(forged)).toBe(false);
  });

  it("is verified by OpenSSL, which refuses a changed one", ({ skip }) => {
    const program = findPrograms("openssl");
    if (program instanceof Error) skip(program.message);
    const openssl = (checkpoint: Checkpoint) => {
      const file = (name: string, content: Buffer) => {
        writeFileSync(join(folder, name), content);
        return join(folder, name);
      };
      const args = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"];
      const inkey = file("key.der", Buffer.from(checkpoint.publicKey, "base64"));
      const input = file("checkpoint", signedBytes(checkpoint));
      const signature = file("signature", Buffer.from(checkpoint.signature, "base64"));
      try {
        return execFileSync("openssl", [...args, "-inkey", inkey, "-in", input, "-sigfile", signature], {
          encoding: "utf8",
          stdio: "pipe",
        });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    expect(openssl(signed())).toContain("Signature Verified Successfully");
    expect(openssl({ ...signed(), records: 1233 })).toContain("Signature Verification Failure");
  });
});
