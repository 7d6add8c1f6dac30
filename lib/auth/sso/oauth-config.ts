import "server-only";
import type { TokenSet as NextAuthTokens, Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { type Client, custom, type TokenSet } from "openid-client";
import { z } from "zod";
import type { SsoConfig, SsoProvider } from "@/lib/auth/providers";
import { outboundAgent } from "@/lib/http/outbound";
import { appleClientSecret } from "./apple-secret";
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

/** Applies the rules of lib/http/outbound to the requests of a client and of its issuer. */
function guard(client: Client): void {
  const options = (url: URL) => ({ agent: outboundAgent(url) as never, timeout: FIRST_BYTE_TIMEOUT_MS });
  client[custom.http_options] = options;
  client.issuer[custom.http_options] = options;
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

/** The claims of the ID token, completed by the userinfo endpoint if the token has no e-mail. */
async function openIdClaims(client: Client, tokens: TokenSet, endpoints: Endpoints): Promise<Profile> {
  const claims = tokens.claims();
  if (claims.email !== undefined || endpoints.userinfo === null || !tokens.access_token) return claims;
  return { ...(await client.userinfo(tokens)), ...claims };
}

/**
 * The configuration of a provider for next-auth, made for one request.
 *
 * The client sends its secret in the body (`client_secret_post`), which all providers accept and Apple requires. ID tokens
 * are signed with RS256, which every OpenID provider must support (OpenID Connect Core 1.0, 15.1).
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
  const claimsOf = openId ? openIdClaims : githubClaims;
  return {
    id: provider,
    name: provider,
    type: "oauth",
    issuer,
    clientId: config.clientId,
    clientSecret: config.provider === "apple" ? await appleClientSecret(config, issuer) : config.clientSecret,
    client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "RS256" },
    checks: openId ? ["pkce", "state", "nonce"] : ["pkce", "state"],
    idToken: openId,
    authorization: { url: endpoints.authorization, params: AUTHORIZATION[provider] },
    token: {
      url: endpoints.token,
      // As in next-auth, but with guarded requests and for codes only: otherwise an access token in the address would be
      // accepted, even if it was issued to another client.
      async request({ client, params, checks, provider: { callbackUrl } }) {
        guard(client);
        const codeOnly = { ...checks, response_type: "code" };
        const tokens = openId
          ? await client.callback(callbackUrl, params, codeOnly)
          : await client.oauthCallback(callbackUrl, params, codeOnly);
        return { tokens };
      },
    },
    userinfo: {
      url: endpoints.userinfo ?? undefined,
      request: ({ client, tokens }: { client: Client; tokens: NextAuthTokens }) =>
        claimsOf(client, tokens as TokenSet, endpoints),
    },
    jwks_endpoint: endpoints.jwks ?? undefined,
    profile(claims) {
      const identity = identityFrom(provider, issuer, claims);
      found(identity);
      return { id: identity.subject };
    },
  };
}
