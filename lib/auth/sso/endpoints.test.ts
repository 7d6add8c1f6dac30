import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { SsoConfig } from "@/lib/auth/providers";
import { answerWith, listen } from "@/lib/testing/identity-provider";
import { endpointsOf } from "./endpoints";

process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";
process.env.DATABASE_URL ??= "postgresql://nobody@127.0.0.1/nothing";

const TENANT = "11111111-2222-4333-8444-555555555555";
const OTHER_TENANT = "99999999-2222-4333-8444-555555555555";

const { server, base, close } = await listen("127.0.0.1");
let documents: Record<string, object> = {};
let asked: string[] = [];
server.on("request", (request, response) => {
  const path = request.url ?? "";
  asked.push(path);
  const document = documents[path.replace("/.well-known/openid-configuration", "")];
  answerWith(response, document ? { status: 200, body: JSON.stringify(document) } : { status: 404, body: "{}" });
});
afterAll(close);

let counter = 0;
/** A base path of the server that was not requested before. */
let root = "";
function newRoot(): void {
  root = `/${counter++}`;
}
beforeEach(() => {
  newRoot();
  documents = {};
  asked = [];
});

function metadata(issuer: string, more: object = {}): object {
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    jwks_uri: `${base}/keys`,
    ...more,
  };
}

const google = (): SsoConfig => ({ provider: "google", clientId: "c", clientSecret: "s", baseUrl: base + root });
const azure = (tenant: string): SsoConfig => ({
  provider: "azure",
  clientId: "c",
  clientSecret: "s",
  authority: `${base}${root}/${tenant}`,
});

describe("a provider's addresses", () => {
  it("are requested once for simultaneous sign-ins and for those in the following minutes", async () => {
    documents[root] = metadata(base + root, { end_session_endpoint: `${base}/end` });
    const found = await Promise.all([endpointsOf(google()), endpointsOf(google()), endpointsOf(google())]);
    found.push(await endpointsOf(google()));
    for (const endpoints of found) {
      expect(endpoints).toEqual({
        issuer: base + root,
        authorization: `${base}/authorize`,
        token: `${base}/token`,
        jwks: `${base}/keys`,
        userinfo: null,
        endSession: `${base}/end`,
        signingAlgorithms: ["RS256"],
        clientAuthentications: ["client_secret_basic", "client_secret_post"],
      });
    }
    expect(asked).toHaveLength(1);
  });

  it("are taken from a document that speaks for the issuer that was asked, and from no other", async () => {
    documents[root] = metadata(`${base}${root}/`);
    expect((await endpointsOf(google())).issuer).toBe(`${base}${root}/`);
    for (const issuer of [`${base}/another`, "https://accounts.google.com", base, `${base}${root}/x`]) {
      newRoot();
      documents[root] = metadata(issuer);
      await expect(endpointsOf(google()), issuer).rejects.toThrow("provider_failed");
    }
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "//evil.example", 7, null])(
    "are web addresses and not %s",
    async (address) => {
      for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"]) {
        documents[root] = metadata(base + root, { [name]: address });
        await expect(endpointsOf(google()), name).rejects.toThrow("provider_failed");
      }
    },
  );

  it("are known of GitHub without asking", async () => {
    const config = { provider: "github", clientId: "c", clientSecret: "s" } as const;
    expect(await endpointsOf(config)).toMatchObject({
      issuer: "https://github.com/login/oauth",
      token: "https://github.com/login/oauth/access_token",
      userinfo: "https://api.github.com/user",
      jwks: null,
    });
    expect(await endpointsOf({ ...config, baseUrl: "https://github.acme.example" })).toMatchObject({
      issuer: "https://github.acme.example/login/oauth",
      userinfo: "https://github.acme.example/api/v3/user",
    });
  });
});

describe("an Azure authority", () => {
  it("may be written without the version of the protocol", async () => {
    documents[`${root}/${TENANT}/v2.0`] = metadata(`${base}${root}/${TENANT}/v2.0`);
    expect((await endpointsOf(azure(TENANT))).issuer).toBe(`${base}${root}/${TENANT}/v2.0`);
  });

  it("may name the tenant by a domain, while the issuer names it by its id", async () => {
    documents[`${root}/acme.example`] = metadata(`${base}${root}/${TENANT}/v2.0`);
    expect((await endpointsOf(azure("acme.example"))).issuer).toBe(`${base}${root}/${TENANT}/v2.0`);
  });

  it.each([
    ["of another tenant", TENANT, OTHER_TENANT],
    ["for every tenant", "common", "{tenantid}"],
    ["for every tenant, encoded", "organizations", "%7Btenantid%7D"],
  ])("is refused with an issuer %s", async (_which, authority, issuer) => {
    documents[`${root}/${authority}`] = metadata(`${base}${root}/${issuer}/v2.0`);
    await expect(endpointsOf(azure(authority))).rejects.toThrow("provider_failed");
  });
});
