import { compactDecrypt, decodeProtectedHeader, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { sealPassword } from "./sealed-password";

async function consoleKeys() {
  const { publicKey, privateKey } = await generateKeyPair("RSA-OAEP-256", { extractable: true });
  const { kty, n, e } = await exportJWK(publicKey);
  const keys = [
    { kty: "OKP", use: "sig" as const, alg: "EdDSA", kid: "signing", crv: "Ed25519", x: "AA" },
    { kty: kty as string, use: "enc" as const, alg: "RSA-OAEP-256", kid: "encryption", n, e },
  ];
  return { keys, privateKey };
}

describe("sealPassword", () => {
  it("encrypts the password and the nonce with the console's encryption key", async () => {
    const { keys, privateKey } = await consoleKeys();
    const sealed = await sealPassword("Ünïcode pässword ✓", { nonce: "n-1", keys });
    expect(decodeProtectedHeader(sealed)).toEqual({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: "encryption" });
    const { plaintext } = await compactDecrypt(sealed, privateKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({ password: "Ünïcode pässword ✓", nonce: "n-1" });
  });

  it("creates a different envelope each time", async () => {
    const { keys } = await consoleKeys();
    const one = await sealPassword("same", { nonce: "n", keys });
    expect(await sealPassword("same", { nonce: "n", keys })).not.toBe(one);
  });

  it("throws without an encryption key", async () => {
    const { keys } = await consoleKeys();
    await expect(sealPassword("x", { nonce: "n", keys: keys.slice(0, 1) })).rejects.toThrow("no encryption key");
  });
});
