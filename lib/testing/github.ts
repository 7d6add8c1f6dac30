import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWith, decisionPage, formOf, type IdentityProvider, listen, NO_ICON } from "./identity-provider";

interface Grant {
  redirectUri: string;
  challenge: string;
  userId: string;
}

/**
 * Starts a fake GitHub Enterprise Server with its web application flow: OAuth 2.0 without ID tokens, token endpoint errors with
 * status 200, and a separate endpoint for the emails, which returns the person's claim `emails`.
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export async function startGithub(consoleUrl: () => string, host = "127.0.0.1"): Promise<IdentityProvider> {
  const { server, base, close } = await listen(host);
  const github: IdentityProvider = {
    issuer: base,
    clientId: "Iv1.slipway",
    clientSecret: "canary-github-secret",
    person: { sub: "0" },
    falsify: () => undefined,
    forge: (claims) => claims,
    foreignKey: false,
    requests: [],
    close,
  };
  const callbackUrl = () => `${consoleUrl()}/api/sso/callback/github`;
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, string>();
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    answerWith(response, { status, body: JSON.stringify(body) });

  const authorize = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const query = url.searchParams;
    if (query.get("client_id") !== github.clientId || query.get("redirect_uri") !== callbackUrl()) {
      return answerWith(response, { status: 404, body: "Not Found", contentType: "text/html" });
    }
    if (request.method === "GET") {
      const body = decisionPage(url.pathname + url.search.replaceAll("&", "&amp;"), github.person);
      return answerWith(response, { status: 200, body, contentType: "text/html" });
    }
    const callback = new URL(callbackUrl());
    if ((await formOf(request)).get("decision") === "cancel") {
      callback.searchParams.set("error", "access_denied");
    } else {
      const code = randomBytes(10).toString("hex");
      codes.set(code, {
        redirectUri: callbackUrl(),
        challenge: query.get("code_challenge") ?? "",
        userId: github.person.sub,
      });
      callback.searchParams.set("code", code);
    }
    callback.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: callback.href }).end();
  };

  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = await formOf(request);
    const code = form.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    if (form.get("client_id") !== github.clientId || form.get("client_secret") !== github.clientSecret) {
      return json(response, { error: "incorrect_client_credentials" });
    }
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.redirectUri !== form.get("redirect_uri") || grant.challenge !== verifier) {
      return json(response, { error: "bad_verification_code" });
    }
    const token = `gho_${randomBytes(18).toString("hex")}`;
    tokens.set(token, grant.userId);
    json(response, { access_token: token, token_type: "bearer", scope: "read:user,user:email" });
  };

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    github.requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? "/", base);
    const instead = url.pathname === "/favicon.ico" ? NO_ICON : github.falsify(url.pathname);
    if (instead) return answerWith(response, instead);
    if (url.pathname === "/login/oauth/authorize") {
      authorize(request, response, url).catch(() => response.destroy());
      return;
    }
    if (url.pathname === "/login/oauth/access_token" && request.method === "POST") {
      exchange(request, response).catch(() => response.destroy());
      return;
    }
    const bearer = /^(?:bearer|token) (\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const userId = tokens.get(bearer);
    if (userId === undefined) return json(response, { message: "Bad credentials" }, 401);
    if (url.pathname === "/api/v3/user") return json(response, { id: Number(userId), login: "octocat", email: null });
    if (url.pathname === "/api/v3/user/emails") return json(response, github.person.emails ?? []);
    json(response, { message: "Not Found" }, 404);
  });
  return github;
}
