import { CompactEncrypt, importJWK, type JWK } from "jose";
import { getPublicKey } from "@/lib/features/config/operations/get-public-key";
import { ANONYMOUS, send } from "./console";

/** A password in the envelope that email-login takes, as a client makes it. */
export async function sealedPassword(password: string, nonce?: string): Promise<string> {
  const { body } = await send(getPublicKey, ANONYMOUS);
  const jwk = (body.keys as JWK[]).find((key) => key.use === "enc") as JWK;
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ password, nonce: nonce ?? body.nonce })))
    .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: jwk.kid })
    .encrypt(await importJWK(jwk, "RSA-OAEP-256"));
}
