import "server-only";
import { importPKCS8, SignJWT } from "jose";
import type { ConfigOf } from "@/lib/auth/providers";

/** Long enough for one exchange. Apple accepts up to six months. */
const LIFETIME = "5m";

/**
 * The client secret of Sign in with Apple: a JWT signed with the team's key (ES256), made for one exchange.
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * @param audience Apple's issuer
 * @throws Error if the private key is not a PKCS#8 key on P-256
 */
export async function appleClientSecret(config: ConfigOf<"apple">, audience: string): Promise<string> {
  const key = await importPKCS8(config.privateKey, "ES256");
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: config.keyId })
    .setIssuer(config.teamId)
    .setSubject(config.clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(key);
}
