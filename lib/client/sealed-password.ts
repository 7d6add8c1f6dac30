import type { OperationOutput } from "@/lib/client/operation-types";

/** The response of get-public-key: the console's keys and a nonce for one password. */
export type PublicKeys = OperationOutput<"config/get-public-key">;

/**
 * Encrypts a password as a compact JWE (RFC 7516; RSA-OAEP-256, A256GCM) of `{ password, nonce }` for the console's
 * encryption key. The library is loaded when it is needed.
 *
 * @throws Error if the console offers no encryption key or the browser no cryptography
 */
export async function sealPassword(password: string, { nonce, keys }: PublicKeys): Promise<string> {
  const jwk = encryptionKey(keys);
  if (!jwk) throw new Error("the console offers no encryption key");
  const [{ CompactEncrypt }, { importJWK }] = await Promise.all([
    import("jose/jwe/compact/encrypt"),
    import("jose/key/import"),
  ]);
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ password, nonce })))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: jwk.kid })
    .encrypt(await importJWK(jwk, "RSA-OAEP-256"));
}

/** The key for encrypting passwords. */
export function encryptionKey(keys: PublicKeys["keys"]): PublicKeys["keys"][number] | undefined {
  return keys.find(({ use, alg }) => use === "enc" && alg === "RSA-OAEP-256");
}
