import { z } from "zod";

/** The keys (RFC 7517, 7518, 8037) that verify each accepted algorithm. The others are symmetric, or no signature at all. */
const KEYS_OF: Record<string, { kty: string; crv?: readonly string[] }> = {
  RS256: { kty: "RSA" },
  RS384: { kty: "RSA" },
  RS512: { kty: "RSA" },
  PS256: { kty: "RSA" },
  PS384: { kty: "RSA" },
  PS512: { kty: "RSA" },
  ES256: { kty: "EC", crv: ["P-256"] },
  ES384: { kty: "EC", crv: ["P-384"] },
  ES512: { kty: "EC", crv: ["P-521"] },
  EdDSA: { kty: "OKP", crv: ["Ed25519", "Ed448"] },
};

/** Whether ID tokens may be signed with an algorithm: an asymmetric one, which is verified with a published key. */
export function isAsymmetric(algorithm: string): boolean {
  return Object.hasOwn(KEYS_OF, algorithm);
}

const keySchema = z.looseObject({
  kty: z.string(),
  use: z.string().optional(),
  alg: z.string().optional(),
  crv: z.string().optional(),
});
/** A JWK Set (RFC 7517). */
export const keySetSchema = z.object({ keys: z.array(keySchema) });

/** Whether a key verifies signatures of one of these algorithms. */
export function verifies(key: z.output<typeof keySchema>, algorithms: readonly string[]): boolean {
  if ((key.use ?? "sig") !== "sig") return false;
  return algorithms.some((algorithm) => {
    const { kty, crv } = KEYS_OF[algorithm] ?? {};
    const sameCurve = crv === undefined || (key.crv !== undefined && crv.includes(key.crv));
    return key.kty === kty && sameCurve && (key.alg === undefined || key.alg === algorithm);
  });
}

/** How a client sends its secret to the token endpoint (OpenID Connect Core 1.0, 9). */
export type ClientAuthentication = "client_secret_post" | "client_secret_basic";

/**
 * The ways in which a client sends its secret, in the order of trying. A provider advertises what it supports for some client;
 * only its refusal tells which one it wants from this client.
 * @param advertised `token_endpoint_auth_methods_supported`; without it, `client_secret_basic` is the default (Discovery 1.0, 3)
 */
export function clientAuthentications(advertised: readonly string[] | undefined): ClientAuthentication[] {
  const methods = ["client_secret_post", "client_secret_basic"] as const;
  const supported = methods.filter((method) => advertised?.includes(method));
  return supported.length > 0 ? supported : ["client_secret_basic", "client_secret_post"];
}

/** As `application/x-www-form-urlencoded` (RFC 6749, 2.3.1), with the same characters as openid-client. */
function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

const CLIENT_REFUSED = new Set(["invalid_client", "unauthorized_client", "incorrect_client_credentials"]);

/** Whether an answer of a token endpoint refuses the client, its secret, or the way in which it was sent. */
export function refusesClient(status: number | undefined, error: string | undefined): boolean {
  return status === 401 || (error !== undefined && CLIENT_REFUSED.has(error));
}

/** The part of a token request that identifies the client (RFC 6749, 2.3.1). */
export function clientCredentials(
  method: ClientAuthentication,
  client: { id: string; secret: string },
): { headers: Record<string, string>; form: Record<string, string> } {
  if (method === "client_secret_post")
    return { headers: {}, form: { client_id: client.id, client_secret: client.secret } };
  const credentials = Buffer.from(`${formEncoded(client.id)}:${formEncoded(client.secret)}`).toString("base64");
  return { headers: { authorization: `Basic ${credentials}` }, form: {} };
}
