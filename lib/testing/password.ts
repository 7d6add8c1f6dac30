import { CompactEncrypt, importJWK, type JWK } from "jose";
import { getPublicKey } from "@/lib/features/config/operations/get-public-key";
import { ANONYMOUS, send } from "./console";

/** Encrypts a password as a client does for email-login (JWE, RFC 7516). */
export async function sealedPassword(password: string, nonce?: string): Promise<string> {
  const { body } = await send(getPublicKey, ANONYMOUS);
  const jwk = (body.keys as JWK[]).find((key) => key.use === "enc") as JWK;
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ password, nonce: nonce ?? body.nonce })))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: jwk.kid })
    .encrypt(await importJWK(jwk, "RSA-OAEP-256"));
}
