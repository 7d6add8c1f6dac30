import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SsoProvider } from "@/lib/auth/providers";
import { db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { operations } from "@/lib/operations";
import { type AppleTeam, startApple } from "@/lib/testing/apple";
import { anAppleKey } from "@/lib/testing/apple-key";
import { aProviderConfig, noProviderConfig } from "@/lib/testing/auth-providers";
import { ANONYMOUS, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { type FalseAnswer, type IdentityProvider, startIdentityProvider } from "@/lib/testing/identity-provider";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

const consoleUrl = () => env.APP_URL;

let admin: TestUser;
let idp: IdentityProvider;
let apple: IdentityProvider;
let team: AppleTeam;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";
  idp = await startIdentityProvider({ consoleUrl, as: "gitlab" });
  ({ provider: apple, team } = await startApple(consoleUrl));
  process.env.APPLE_ISSUER = apple.issuer;
});
afterAll(() => Promise.all([idp.close(), apple.close()]));
beforeEach(async () => {
  idp.falsify = () => undefined;
  // One who has tried nothing yet.
  admin = await aUser({ admin: true });
});

async function outcomesOf(provider: SsoProvider) {
  const { status, body } = await send(operations["config/test-auth-provider"], admin, { provider });
  expect(status, JSON.stringify(body)).toBe(200);
  const outcomes = Object.fromEntries(
    body.checks.map(({ check, outcome }: { check: string; outcome: string }) => [check, outcome]),
  );
  const words = (check: string) => body.checks.find((one: { check: string }) => one.check === check)?.message as string;
  return { ok: body.ok as boolean, outcomes, words };
}

/** What the provider answers instead at one of its paths. */
function answering(path: string, status: number, body: unknown): void {
  const answer: FalseAnswer = { status, body: JSON.stringify(body) };
  idp.falsify = (asked) => (asked === path ? answer : undefined);
}

const DISCOVERY = "/.well-known/openid-configuration";

describe("a test of a configuration", () => {
  it.each(["azure", "gitlab", "google"] as const)("passes for %s with the right client", async (provider) => {
    const address = provider === "azure" ? { authority: idp.issuer } : { baseUrl: idp.issuer };
    await aProviderConfig(provider, { clientId: "slipway", clientSecret: idp.clientSecret, ...address });
    const { ok, outcomes } = await outcomesOf(provider);
    expect(ok).toBe(true);
    expect(outcomes).toEqual({ discovery: "passed", issuer: "passed", keys: "passed", credentials: "passed" });
  });

  it("tells that the secret is wrong, and keeps it to itself", async () => {
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: "the wrong secret", baseUrl: idp.issuer });
    const { ok, outcomes, words } = await outcomesOf("gitlab");
    expect(ok).toBe(false);
    expect(outcomes).toMatchObject({ discovery: "passed", credentials: "failed" });
    expect(words("credentials")).toContain("does not accept the client ID or the secret");
    expect(words("credentials")).not.toContain("the wrong secret");
  });

  it("tells that the client is unknown", async () => {
    await aProviderConfig("google", { clientId: "somebody", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    expect((await outcomesOf("google")).outcomes.credentials).toBe("failed");
  });

  it("tells that nothing of OpenID is at the address", async () => {
    await aProviderConfig("gitlab", {
      clientId: "slipway",
      clientSecret: idp.clientSecret,
      baseUrl: `${idp.issuer}/elsewhere`,
    });
    const { ok, outcomes, words } = await outcomesOf("gitlab");
    expect([ok, outcomes]).toEqual([false, { discovery: "failed" }]);
    expect(words("discovery")).toContain(`${idp.issuer}/elsewhere`);
  });

  it("tells which issuer answers where it is another", async () => {
    await aProviderConfig("google", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    const metadata = (await (await fetch(idp.issuer + DISCOVERY)).json()) as object;
    answering(DISCOVERY, 200, { ...metadata, issuer: "https://evil.example" });
    const { ok, outcomes, words } = await outcomesOf("google");
    expect([ok, outcomes]).toEqual([false, { discovery: "passed", issuer: "failed" }]);
    expect(words("issuer")).toContain("https://evil.example");
  });

  it.each([
    ["is no document", 200, "hello", /not return an OpenID Connect document/],
    ["is refused", 403, {}, /403/],
    ["leads elsewhere", 302, {}, /redirects/],
  ])("tells that the discovery document %s", async (_how, status, body, told) => {
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    answering(DISCOVERY, status, body);
    const { ok, outcomes, words } = await outcomesOf("gitlab");
    expect([ok, outcomes]).toEqual([false, { discovery: "failed" }]);
    expect(words("discovery")).toMatch(told);
  });

  it("tells that there is no key to check signatures with", async () => {
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    answering("/jwks", 200, { keys: [{ kty: "EC", use: "sig" }] });
    expect((await outcomesOf("gitlab")).outcomes).toMatchObject({ keys: "failed", credentials: "passed" });
  });

  it.each(["ES256", "PS512", "EdDSA"] as const)("passes where ID tokens are signed with %s", async (algorithm) => {
    const other = await startIdentityProvider({ consoleUrl, as: "gitlab", algorithm });
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: other.clientSecret, baseUrl: other.issuer });
    expect((await outcomesOf("gitlab")).outcomes).toMatchObject({ keys: "passed", credentials: "passed" });
    await other.close();
  });

  it("tells that no published key verifies what the provider signs with", async () => {
    const other = await startIdentityProvider({ consoleUrl, as: "gitlab" });
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: other.clientSecret, baseUrl: other.issuer });
    const metadata = (await (await fetch(other.issuer + DISCOVERY)).json()) as object;
    const body = JSON.stringify({ ...metadata, id_token_signing_alg_values_supported: ["HS256", "none"] });
    other.falsify = (asked) => (asked === DISCOVERY ? { status: 200, body } : undefined);
    const { outcomes, words } = await outcomesOf("gitlab");
    expect(outcomes.keys).toBe("failed");
    expect(words("keys")).toContain("HS256, none");
    await other.close();
  });

  it("sends the secret in the header, as a sign-in does, where the client may not send it in the body", async () => {
    const clientAuthentication = "client_secret_basic";
    const other = await startIdentityProvider({ consoleUrl, as: "gitlab", clientAuthentication });
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: other.clientSecret, baseUrl: other.issuer });
    expect((await outcomesOf("gitlab")).outcomes.credentials).toBe("passed");
    await other.close();
  });

  it("names how it sent a secret that is refused, and what the provider says, without the secret", async () => {
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: "the wrong secret", baseUrl: idp.issuer });
    const error_description = "The client 'slipway'\nmay not use 'the wrong secret'.";
    answering("/token", 401, { error: "invalid_client", error_description });
    const { words } = await outcomesOf("gitlab");
    expect(words("credentials")).toContain("client_secret_post, client_secret_basic");
    expect(words("credentials")).toContain("“The client 'slipway' may not use '•••'.”");
  });

  it("tells that the redirect URI is not registered, and names it", async () => {
    await aProviderConfig("google", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    answering("/token", 400, { error: "redirect_uri_mismatch" });
    const { outcomes, words } = await outcomesOf("google");
    expect(outcomes.credentials).toBe("failed");
    expect(words("credentials")).toContain("/api/sso/callback/google");
  });

  it("does not call a secret good or bad where the provider does not tell", async () => {
    await aProviderConfig("google", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    answering("/token", 400, { error: "slow_down" });
    const { ok, outcomes } = await outcomesOf("google");
    expect([ok, outcomes.credentials]).toEqual([true, "unknown"]);
  });

  it.each([
    [200, { error: "bad_verification_code" }, "passed"],
    [200, { error: "incorrect_client_credentials" }, "failed"],
    [404, { error: "Not Found" }, "failed"],
  ])("reads GitHub's answer %i %j as %s", async (status, body, outcome) => {
    await aProviderConfig("github", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    answering("/login/oauth/access_token", status, body);
    expect((await outcomesOf("github")).outcomes).toEqual({ credentials: outcome });
  });

  it("passes for Apple with a key that Apple knows", async () => {
    await aProviderConfig("apple", { clientId: apple.clientId, ...team });
    const { ok, outcomes } = await outcomesOf("apple");
    expect([ok, outcomes.values, outcomes.credentials]).toEqual([true, "passed", "passed"]);
  });

  it("tells that Apple does not know the key, and that identifiers are mistyped", async () => {
    await aProviderConfig("apple", { clientId: apple.clientId, ...team, privateKey: anAppleKey() });
    expect((await outcomesOf("apple")).outcomes).toMatchObject({ values: "passed", credentials: "failed" });
    await aProviderConfig("apple", { clientId: apple.clientId, ...team, teamId: "team" });
    const { body } = await send(operations["config/test-auth-provider"], admin, { provider: "apple" });
    expect(body.ok).toBe(false);
    expect(body.checks[0].message).toContain("Team ID has ten");
  });

  it("answers 502 where the provider is away or in trouble", async () => {
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    const before = await auditCount();
    answering(DISCOVERY, 503, {});
    const trouble = await send(operations["config/test-auth-provider"], admin, { provider: "gitlab" });
    expect([trouble.status, trouble.body.code]).toEqual([502, "provider_failed"]);
    const gone = await startIdentityProvider({ consoleUrl, as: "gitlab" });
    await gone.close();
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: gone.issuer });
    const away = await send(operations["config/test-auth-provider"], admin, { provider: "gitlab" });
    expect([away.status, away.body.code]).toEqual([502, "provider_failed"]);
    expect(away.body.detail).toContain(new URL(gone.issuer).host);
    expect(await auditCount()).toBe(before);
  });

  it("does not ask an address of the server's own network that nobody has allowed", async () => {
    await aProviderConfig("gitlab", { baseUrl: "https://127.0.0.2" });
    const { ok, words } = await outcomesOf("gitlab");
    expect(ok).toBe(false);
    expect(words("discovery")).toContain("OUTBOUND_ALLOWED_HOSTS");
  });

  it("needs a configuration, is for administrators, and leaves a record without secrets", async () => {
    await noProviderConfig("gitlab");
    const none = await send(operations["config/test-auth-provider"], admin, { provider: "gitlab" });
    expect([none.status, none.body.code]).toEqual([409, "provider_not_configured"]);
    expect((await send(operations["config/test-auth-provider"], ANONYMOUS, { provider: "gitlab" })).status).toBe(401);
    await aProviderConfig("gitlab", { clientId: "slipway", clientSecret: idp.clientSecret, baseUrl: idp.issuer });
    await outcomesOf("gitlab");
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "AuthProvider", action: "test", recordId: "gitlab", changes: {} });
  });
});
