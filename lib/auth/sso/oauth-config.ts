import "server-only";
import type { TokenSet as NextAuthTokens, Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { type Client, custom, errors, type TokenSet } from "openid-client";
import { z } from "zod";
import type { SsoConfig, SsoProvider } from "@/lib/auth/providers";
import { outboundAgent } from "@/lib/http/outbound";
import { log } from "@/lib/kernel/log";
import { appleClientSecret } from "./apple-secret";
import { type ClientAuthentication, isAsymmetric, refusesClient } from "./client-methods";
import type { Endpoints } from "./endpoints";
import { identityFrom, type SsoIdentity } from "./identity";

/** How long openid-client waits for the first byte of a response. The agent limits the whole request. */
const FIRST_BYTE_TIMEOUT_MS = 10_000;

const AUTHORIZATION: Record<SsoProvider, Record<string, string>> = {
  // Apple reports the e-mail only in posted responses.
  apple: { scope: "openid email", response_mode: "form_post" },
  // Azure includes `tid` and `oid` only with the scope `profile`.
  azure: { scope: "openid profile email" },
  github: { scope: "read:user user:email" },
  gitlab: { scope: "openid email" },
  google: { scope: "openid email" },
};

const githubUserSchema = z.object({ id: z.int().positive() });
const githubEmailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** A part of openid-client that its types leave out. */
interface Verifier {
  validateJWT(jwt: string, algorithm: string, required?: string[]): Promise<{ payload: Profile }>;
}

const headerSchema = z.object({ alg: z.string() });

/** The algorithm that a JWT says it is signed with; undefined if it is none. */
function algorithmOf(jwt: string): string | undefined {
  try {
    return headerSchema.parse(JSON.parse(String(Buffer.from(jwt.split(".", 1)[0] ?? "", "base64url")))).alg;
  } catch {
    return undefined;
  }
}

/**
 * Applies the rules of lib/http/outbound to the requests of a client and of its issuer, and lets each JWT be signed with any
 * asymmetric algorithm that the provider advertises: which one it uses for this client is only seen in the token.
 */
function prepare(client: Client, { signingAlgorithms }: Endpoints): Client {
  const options = (url: URL) => ({ agent: outboundAgent(url) as never, timeout: FIRST_BYTE_TIMEOUT_MS });
  client[custom.http_options] = options;
  client.issuer[custom.http_options] = options;
  const accepted = signingAlgorithms.filter(isAsymmetric);
  const verifier = client as unknown as Verifier;
  const validate = verifier.validateJWT.bind(client);
  verifier.validateJWT = (jwt, _algorithm, required) => {
    const algorithm = algorithmOf(jwt);
    if (algorithm !== undefined && accepted.includes(algorithm)) return validate(jwt, algorithm, required);
    const expected = accepted.join(", ") || "no algorithm that can be verified";
    throw new Error(`a token is signed with ${algorithm}; the provider advertises ${expected}`);
  };
  return client;
}

/** The same client, which sends its secret in another way. */
function clientWith(client: Client, method: ClientAuthentication, endpoints: Endpoints): Client {
  if (client.metadata.token_endpoint_auth_method === method) return client;
  const other = new client.issuer.Client({ ...client.metadata, token_endpoint_auth_method: method } as never);
  other[custom.clock_tolerance] = client[custom.clock_tolerance];
  return prepare(other, endpoints);
}

/**
 * Exchanges a code, with the secret sent in each of the ways that the provider supports until it does not refuse the client
 * for it. It verifies the client before the code (RFC 6749, 4.1.3), so that a refusal does not use the code up.
 */
async function exchange(
  client: Client,
  endpoints: Endpoints,
  send: (client: Client) => Promise<TokenSet>,
): Promise<TokenSet> {
  const [first, ...others] = endpoints.clientAuthentications as [ClientAuthentication, ...ClientAuthentication[]];
  let answer = send(clientWith(client, first, endpoints));
  for (const method of others) {
    answer = answer.catch((error: unknown) => {
      const refused = error instanceof errors.OPError && refusesClient(error.response?.statusCode, error.error);
      if (!refused) throw error;
      return send(clientWith(client, method, endpoints));
    });
  }
  return answer;
}

/** GitHub's user with the primary e-mail, as OpenID claims. */
async function githubClaims(client: Client, tokens: TokenSet, endpoints: Endpoints): Promise<Profile> {
  const accessToken = tokens.access_token;
  // GitHub refuses a code with status 200 and an error in the body.
  if (!accessToken) throw new Error("GitHub gave no access token");
  const [user, emails] = await Promise.all([
    client.userinfo(accessToken),
    client.requestResource(`${endpoints.userinfo}/emails`, accessToken, {
      headers: { accept: "application/vnd.github+json" },
    }),
  ]);
  // Without access to the e-mails (403, 404), none is verified; the subject may be known already.
  const refused = emails.statusCode === 403 || emails.statusCode === 404;
  if (!refused && emails.statusCode !== 200) throw new Error(`GitHub answered ${emails.statusCode} for the e-mails`);
  const list = refused ? [] : githubEmailsSchema.parse(JSON.parse(String(emails.body)));
  const primary = list.find((one) => one.primary);
  return {
    sub: String(githubUserSchema.parse(user).id),
    email: primary?.email,
    email_verified: primary?.verified,
  } as Profile;
}

/** The answer of the userinfo endpoint, plain or signed (OpenID Connect Core 1.0, 5.3.2). */
async function userinfo(client: Client, accessToken: string, address: string): Promise<Profile> {
  const answer = await client.requestResource(address, accessToken, {
    headers: { accept: "application/json, application/jwt;q=0.9" },
  });
  if (answer.statusCode !== 200) throw new Error(`the userinfo endpoint answered ${answer.statusCode}`);
  const body = String(answer.body).trim();
  const signed = /^application\/jwt\b/i.test(answer.headers["content-type"] ?? "");
  if (!signed) return z.looseObject({}).parse(JSON.parse(body)) as Profile;
  return (await (client as unknown as Verifier).validateJWT(body, "", [])).payload;
}

/** The claims without those of the names that say nothing: null and empty texts. */
function stated(claims: object, names: readonly string[]): Record<string, unknown> {
  const silent = (name: string, value: unknown) => names.includes(name) && (value === null || value === "");
  return Object.fromEntries(Object.entries(claims).filter(([name, value]) => !silent(name, value)));
}

/**
 * The claims of the ID token. The userinfo endpoint completes them if one that is needed is missing; without its answer, those
 * of the token are all that is known.
 * @throws Error if the endpoint answers for another subject
 */
async function openIdClaims(
  client: Client,
  tokens: TokenSet,
  endpoints: Endpoints,
  needed: readonly string[],
): Promise<Profile> {
  const claims = stated(tokens.claims(), needed);
  const complete = needed.every((name) => claims[name] !== undefined);
  if (complete || endpoints.userinfo === null || !tokens.access_token) return claims as Profile;
  const asked = await userinfo(client, tokens.access_token, endpoints.userinfo).catch((error: unknown) => {
    log.warn({ host: new URL(endpoints.userinfo as string).host, reason: String(error) }, "userinfo could not be read");
    return null;
  });
  if (asked === null) return claims as Profile;
  if (asked.sub !== claims.sub) throw new Error("the userinfo endpoint answered for another subject");
  const more = stated(asked, needed);
  // Of two addresses, neither vouches for the other.
  if (claims.email !== undefined && more.email !== undefined && claims.email !== more.email) return claims as Profile;
  return { ...more, ...claims } as Profile;
}

/** The claims that identify a user at their first sign-in. Azure's tokens have no `email_verified`. */
const needed = (provider: SsoProvider) => (provider === "azure" ? ["email"] : ["email", "email_verified"]);

/**
 * The configuration of a provider for next-auth, made for one request.
 *
 * @param found receives the verified identity
 */
export async function oauthConfig(
  config: SsoConfig,
  endpoints: Endpoints,
  found: (identity: SsoIdentity) => void,
): Promise<OAuthConfig<Profile>> {
  const { provider } = config;
  const { issuer } = endpoints;
  const openId = endpoints.jwks !== null;
  return {
    id: provider,
    name: provider,
    type: "oauth",
    issuer,
    clientId: config.clientId,
    clientSecret: config.provider === "apple" ? await appleClientSecret(config, issuer) : config.clientSecret,
    client: { token_endpoint_auth_method: endpoints.clientAuthentications[0] },
    checks: openId ? ["pkce", "state", "nonce"] : ["pkce", "state"],
    idToken: openId,
    authorization: { url: endpoints.authorization, params: AUTHORIZATION[provider] },
    token: {
      url: endpoints.token,
      // As in next-auth, but with guarded requests and for codes only: otherwise an access token in the address would be
      // accepted, even if it was issued to another client.
      async request({ client, params, checks, provider: { callbackUrl } }) {
        const codeOnly = { ...checks, response_type: "code" };
        const tokens = await exchange(prepare(client, endpoints), endpoints, (one) =>
          openId ? one.callback(callbackUrl, params, codeOnly) : one.oauthCallback(callbackUrl, params, codeOnly),
        );
        return { tokens };
      },
    },
    userinfo: {
      url: endpoints.userinfo ?? undefined,
      request: ({ client, tokens }: { client: Client; tokens: NextAuthTokens }) =>
        openId
          ? openIdClaims(client, tokens as TokenSet, endpoints, needed(provider))
          : githubClaims(client, tokens as TokenSet, endpoints),
    },
    jwks_endpoint: endpoints.jwks ?? undefined,
    profile(claims) {
      const identity = identityFrom(provider, issuer, claims);
      found(identity);
      return { id: identity.subject };
    },
  };
}
