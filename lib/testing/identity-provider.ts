import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider, { type Configuration, type KoaContextWithOIDC, type SigningAlgorithm } from "oidc-provider";

/** The claims of a person with an account at a provider. */
export interface Person {
  sub: string;
  [claim: string]: unknown;
}

/** A response that replaces the provider's own. */
export interface FalseAnswer {
  status: number;
  body: string;
  contentType?: string;
}

/** A running provider. Its properties can be changed between two sign-ins. */
export interface IdentityProvider {
  /** Its issuer; for GitHub, its base URL. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The person who signs in next. */
  person: Person;
  /** Returns a false response for a path; undefined for the provider's own. */
  falsify: (path: string) => FalseAnswer | undefined;
  /** Changes the claims of an ID token before it is signed. */
  forge: (claims: JWTPayload) => JWTPayload;
  /** Whether ID tokens are signed with a key that is not in its JWK Set. */
  foreignKey: boolean;
  /** The method and the path with query of each request. */
  requests: string[];
  close(): Promise<void>;
}

/** Browsers request an icon from every server and log an error if it is missing. */
export const NO_ICON: FalseAnswer = { status: 204, body: "" };

/** Starts an HTTP server on a free port of the loopback interface. */
export async function listen(host: string): Promise<{ server: Server; base: string; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    base: `http://${host}:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads a form body. */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Returns the page on which a person continues or cancels the sign-in. */
export function decisionPage(action: string, person: Person): string {
  const name = String(person.email ?? person.sub)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
  return `<!doctype html><html lang="en"><title>Sign in</title>
<form method="post" action="${action}"><button name="decision" value="go">Continue as ${name}</button></form>
<form method="post" action="${action}"><button name="decision" value="cancel">Cancel</button></form></html>`;
}

export function answerWith(response: ServerResponse, { status, body, contentType = "application/json" }: FalseAnswer) {
  response.writeHead(status, { "content-type": contentType }).end(body);
}

export interface IdentityProviderOptions {
  /** Returns the URL of the console that is its client. Called on first use. */
  consoleUrl: () => string;
  /** The provider's name in the console. */
  as: string;
  /** `127.0.0.1`, or `localhost` to be same-site with a console that is opened there. */
  host?: string;
  /** A path in the issuer, as tenants have it. */
  path?: string;
  clientId?: string;
  /** Verifies the client secret instead of comparing it, as Apple does. */
  secretCheck?: (secret: string, issuer: string) => Promise<boolean>;
  /** Whether it supports RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
  endsSessions?: boolean;
  /** Whether the ID token contains the email, or only the userinfo response. */
  emailInToken?: boolean;
  /** The algorithm that it signs with; RS256 if it is not given. */
  algorithm?: SigningAlgorithm;
  /** The one way in which its client may send the secret; `client_secret_post` if it is not given. */
  clientAuthentication?: "client_secret_post" | "client_secret_basic";
  /** Whether the userinfo endpoint answers with a signed JWT. */
  signedUserinfo?: boolean;
}

/** Starts an OpenID provider (node-oidc-provider) that signs every visitor in as `person` after confirmation on its page. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { consoleUrl, host = "127.0.0.1", path = "", secretCheck, emailInToken = true } = options;
  const { algorithm = "RS256", clientAuthentication = "client_secret_post", signedUserinfo = false } = options;
  const { server, base, close } = await listen(host);
  const issuer = `${base}${path}`;
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const stranger = await generateKeyPair(algorithm);
  const signing = { ...(await exportJWK(privateKey)), kid: "signing", alg: algorithm, use: "sig" };

  const provider: IdentityProvider = {
    issuer,
    clientId: options.clientId ?? "slipway",
    clientSecret: "canary-client-secret-~!*'()%20",
    person: { sub: "nobody" },
    falsify: () => undefined,
    forge: (claims) => claims,
    foreignKey: false,
    requests: [],
    close,
  };
  const people = new Map<string, Person>();
  const configuration = (): Configuration => ({
    clients: [
      {
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        redirect_uris: [`${consoleUrl()}/api/sso/callback/${options.as}`],
        post_logout_redirect_uris: [`${consoleUrl()}/`],
        token_endpoint_auth_method: clientAuthentication,
        id_token_signed_response_alg: algorithm,
        ...(signedUserinfo && { userinfo_signed_response_alg: algorithm }),
        response_types: ["code"],
      },
    ],
    claims: {
      openid: ["sub", "tid", "oid", "xms_edov"],
      email: ["email", "email_verified"],
      profile: ["preferred_username"],
    },
    conformIdTokenClaims: !emailInToken,
    cookies: { keys: ["test"] },
    jwks: { keys: [signing] },
    enabledJWA: { idTokenSigningAlgValues: [algorithm], userinfoSigningAlgValues: [algorithm] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: signedUserinfo },
      rpInitiatedLogout: {
        enabled: options.endsSessions ?? false,
        logoutSource(ctx, form) {
          ctx.body = `<!doctype html><html lang="en"><title>Sign out</title>${form}
            <button form="op.logoutForm" type="submit" name="logout" value="yes">Yes, sign me out</button></html>`;
        },
      },
    },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => people.get(sub) ?? { sub } }),
    interactions: { url: (_ctx, interaction) => `${path}/interaction/${interaction.uid}` },
    // No consent page, as for a provider of the company's own.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  const start = () => {
    const oidc = new Provider(issuer, configuration());
    if (secretCheck) {
      oidc.Client.prototype.compareClientSecret = ((secret: string) => secretCheck(secret, issuer)) as never;
    }
    oidc.use(async (ctx, next) => {
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if ((ctx as KoaContextWithOIDC).oidc?.route !== "token" || !body?.id_token) return;
      const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1] as string, "base64url").toString());
      body.id_token = await new SignJWT(provider.forge(claims))
        .setProtectedHeader({ alg: algorithm, kid: "signing" })
        .sign(provider.foreignKey ? stranger.privateKey : privateKey);
    });
    return { oidc, handle: oidc.callback() };
  };
  let started: ReturnType<typeof start> | undefined;
  const running = () => {
    started ??= start();
    return started;
  };

  const decide = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") {
      const body = decisionPage(request.url ?? "", provider.person);
      return answerWith(response, { status: 200, body, contentType: "text/html" });
    }
    const cancelled = (await formOf(request)).get("decision") === "cancel";
    people.set(provider.person.sub, provider.person);
    const result = cancelled ? { error: "access_denied" } : { login: { accountId: provider.person.sub } };
    await running().oidc.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  server.on("request", (request: IncomingMessage & { originalUrl?: string; baseUrl?: string }, response) => {
    const url = request.url ?? "/";
    provider.requests.push(`${request.method} ${url}`);
    const plain = url.split("?")[0] as string;
    const instead = plain === "/favicon.ico" ? NO_ICON : provider.falsify(plain);
    if (instead) return answerWith(response, instead);
    if (!plain.startsWith(path)) return answerWith(response, { status: 404, body: "{}" });
    if (plain.startsWith(`${path}/interaction/`)) {
      decide(request, response).catch(() => response.destroy());
      return;
    }
    // As if it were mounted at the path.
    request.originalUrl = url;
    request.baseUrl = path;
    request.url = url.slice(path.length) || "/";
    running().handle(request, response);
  });
  return provider;
}
