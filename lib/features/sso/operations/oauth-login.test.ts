import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { makeDeviceFamiliar } from "@/lib/auth/familiar-devices";
import type { SsoProvider } from "@/lib/auth/providers";
import { saveProviderConfig, setProviderEnabled } from "@/lib/auth/providers";
import { db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { updateGitlabConfig } from "@/lib/features/auth-providers/operations/update-gitlab-config";
import { handleSso } from "@/lib/features/sso/routes";
import { masterKeys, parseMasterKeys } from "@/lib/kernel/crypto/master-keys";
import { env } from "@/lib/kernel/env";
import { startApple } from "@/lib/testing/apple";
import { aProviderConfig, noProviderConfig } from "@/lib/testing/auth-providers";
import { TestBrowser, type View } from "@/lib/testing/browser";
import { ANONYMOUS, aUser, auditCount, cookieHeaders, send } from "@/lib/testing/console";
import { startGithub } from "@/lib/testing/github";
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  type Person,
  startIdentityProvider,
} from "@/lib/testing/identity-provider";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { newMasterKey } from "@/lib/testing/master-keys";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getLogoutUrl } from "./get-logout-url";
import { oauthLogin } from "./oauth-login";
import { oauthLoginCreateSession } from "./oauth-login-create-session";

// Calls the module; a test replaces its keys.
vi.mock(import("@/lib/kernel/crypto/master-keys"), { spy: true });

setUpTestDatabase();

const APP_URL = "http://localhost:3000";
const TENANT = "11111111-2222-4333-8444-555555555555";
const consoleUrl = () => APP_URL;
const callback = (provider: SsoProvider) => `${APP_URL}/api/sso/callback/${provider}`;

const apple = await startApple(consoleUrl);
process.env.APPLE_ISSUER = apple.provider.issuer;
process.env.OUTBOUND_ALLOWED_HOSTS = "127.0.0.1";

const servers = {
  apple: apple.provider,
  azure: await startIdentityProvider({
    consoleUrl,
    as: "azure",
    endsSessions: true,
    path: `/${TENANT}/v2.0`,
  }),
  github: await startGithub(consoleUrl),
  // As the specification's own library answers: the e-mail at the userinfo endpoint alone.
  gitlab: await startIdentityProvider({ consoleUrl, as: "gitlab", emailInToken: false }),
  google: await startIdentityProvider({ consoleUrl, as: "google" }),
} satisfies Record<SsoProvider, IdentityProvider>;
const providers = Object.keys(servers) as SsoProvider[];
const openId = providers.filter((provider) => provider !== "github");

afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

async function configure(provider: SsoProvider): Promise<void> {
  const { issuer, clientId, clientSecret } = servers[provider];
  const address = { azure: { authority: issuer.replace("/v2.0", "") }, apple: apple.team }[provider as string];
  await aProviderConfig(provider, { clientId, clientSecret, ...(address ?? { baseUrl: issuer }) } as never, {
    enabled: true,
  });
}

let configured: Prisma.AuthProviderCreateManyInput[];

beforeAll(async () => {
  for (const provider of providers) await configure(provider);
  const rows = await db.authProvider.findMany({ where: { provider: { in: providers } } });
  configured = rows.map((row) => ({ ...row, config: row.config ?? undefined }));
});

beforeEach(async () => {
  await db.rateLimit.deleteMany();
  await db.authProvider.deleteMany({ where: { provider: { in: providers } } });
  await db.authProvider.createMany({ data: configured });
  for (const provider of providers) {
    Object.assign(servers[provider], {
      falsify: () => undefined,
      forge: (claims: unknown) => claims,
      foreignKey: false,
    });
  }
});

let counter = 1_000;

/** A person as a provider knows one. */
function aPerson(provider: SsoProvider, email = `${randomUUID()}@example.test`, verified = true): Person {
  const sub = String(counter++);
  switch (provider) {
    case "github":
      return {
        sub,
        emails: [
          { email: `old-${email}`, primary: false, verified: true },
          { email, primary: true, verified },
        ],
      };
    case "azure":
      return { sub, email, tid: TENANT, oid: randomUUID(), ...(!verified && { xms_edov: false }) };
    case "apple":
      return { sub, email, email_verified: String(verified) };
    default:
      return { sub, email, email_verified: verified };
  }
}

/** The subject that is kept for a person. */
function subjectOf(provider: SsoProvider, person: Person): string {
  return provider === "azure" ? `${person.tid}.${person.oid}` : person.sub;
}

/** A user whom an administrator registered with a provider, and the same person there, about to sign in. */
async function registered(provider: SsoProvider, options: { status?: "active" | "inactive"; verified?: boolean } = {}) {
  const email = `${randomUUID()}@example.test`;
  const person = aPerson(provider, email, options.verified);
  servers[provider].person = person;
  const { userId } = await aUser({ status: options.status });
  await db.user.update({ where: { id: userId }, data: { provider, email: email.toUpperCase() } });
  await db.session.deleteMany({ where: { userId } });
  return { userId, person, email };
}

const newBrowser = () => new TestBrowser(() => Object.values(servers).map(({ issuer }) => issuer));

async function startUrl(provider: SsoProvider, redirectTo?: string): Promise<string> {
  const answer = await send(oauthLogin, ANONYMOUS, { provider, ...(redirectTo && { redirectTo }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.url;
}

/** Signs in as far as the console's callback page. */
async function signIn(provider: SsoProvider, browser = newBrowser(), redirectTo?: string): Promise<View> {
  return browser.through(await startUrl(provider, redirectTo), "Continue");
}

function stateOf(view: View): string {
  expect(view.url.href).toMatch(/^http:\/\/localhost:3000\/oauth-login\?state=[\w-]{43}$/);
  return view.url.searchParams.get("state") as string;
}

function expectFailure(view: View, reason: string): void {
  expect(view.url.href).toBe(`${APP_URL}/oauth-login?error=${reason}`);
}

async function sessionsOf(userId: string): Promise<number> {
  return db.session.count({ where: { userId } });
}

describe.each(providers)("signing in by %s", (provider) => {
  it("gives the registered user a session, and from then on identifies them by their subject only", async () => {
    const { userId, person } = await registered(provider);
    const browser = newBrowser();
    const state = stateOf(await signIn(provider, browser, "/releases?app=1"));
    const before = await auditCount();
    const answer = await send(oauthLoginCreateSession, browser.caller, { state });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      user: { id: userId, provider },
      twoFactorRequired: false,
      redirectTo: "/releases?app=1",
    });
    expect(answer.body.exp).toBeGreaterThan(Date.now() / 1000);
    expect(await auditCount()).toBe(before + 1);
    const token = /session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] as string;
    const profile = await send(getUserProfile, { headers: cookieHeaders(token) });
    expect(profile.body.user.id).toBe(userId);
    expect(await db.session.findFirst({ where: { userId } })).toMatchObject({ method: "sso", secondFactorAt: null });
    expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).providerSubject).toBe(
      subjectOf(provider, person),
    );

    // Another e-mail at the provider, not even verified: the same person.
    const moved = { ...person, ...aPerson(provider, "elsewhere@example.test", false), sub: person.sub };
    servers[provider].person = { ...moved, ...(person.oid !== undefined && { oid: person.oid }) };
    const again = newBrowser();
    const second = await send(oauthLoginCreateSession, again.caller, { state: "x" });
    expect(second.status).toBe(401);
    const later = stateOf(await signIn(provider, again));
    const answered = await send(oauthLoginCreateSession, again.caller, { state: later });
    expect([answered.status, answered.body.user?.id, answered.body.redirectTo]).toEqual([200, userId, null]);
  });

  it("refuses the e-mail of a user with another subject", async () => {
    const { userId, email } = await registered(provider);
    const first = newBrowser();
    stateOf(await signIn(provider, first));
    servers[provider].person = aPerson(provider, email);
    expectFailure(await signIn(provider), "not_registered");
    expect(await sessionsOf(userId)).toBe(0);
  });

  it("gives the same response to an unknown user, an inactive one and one who is registered with another provider", async () => {
    servers[provider].person = aPerson(provider);
    expectFailure(await signIn(provider), "not_registered");
    const inactive = await registered(provider, { status: "inactive" });
    expectFailure(await signIn(provider), "not_registered");
    const other = await registered(provider);
    const elsewhere = provider === "google" ? "gitlab" : "google";
    await db.user.update({ where: { id: other.userId }, data: { provider: elsewhere } });
    const before = await auditCount();
    expectFailure(await signIn(provider), "not_registered");
    // The begin, and the failed sign-in.
    expect(await auditCount()).toBe(before + 2);
    expect(await db.user.count({ where: { id: { in: [inactive.userId, other.userId] }, providerSubject: null } })).toBe(
      2,
    );
  });

  it("does not accept an e-mail that the provider has not verified", async () => {
    const { userId } = await registered(provider, { verified: false });
    expectFailure(await signIn(provider), "email_unverified");
    expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).providerSubject).toBeNull();
  });

  it("sends PKCE and a state, and a nonce where there is an ID token to carry it", async () => {
    const view = await newBrowser().open(await startUrl(provider));
    const asked = servers[provider].requests.findLast((request) => /GET .*\/auth/.test(request)) as string;
    const parameters = new URL(asked.slice(4), view.url).searchParams;
    expect(parameters.get("code_challenge_method")).toBe("S256");
    expect(parameters.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(parameters.get("state")).toMatch(/^[\w-]{20,}$/);
    expect(parameters.get("response_type")).toBe("code");
    expect(parameters.has("nonce")).toBe(provider !== "github");
    expect(parameters.get("redirect_uri")).toBe(callback(provider));
  });

  it("reports a cancelled sign-in as such", async () => {
    await registered(provider);
    const view = await newBrowser().through(await startUrl(provider), "Cancel");
    expectFailure(view, "cancelled");
  });

  it("refuses a response that this browser did not request, and keeps its own sign-in", async () => {
    const { userId } = await registered(provider);
    const browser = newBrowser();
    const page = await browser.open(await startUrl(provider));
    const underWay = new Map(browser.cookies("localhost"));
    const stranger = newBrowser();
    const theirs = await stranger.open(await startUrl(provider));
    expect(theirs.html).toContain("<form");
    for (const query of ["", "?code=1", "?code=1&state=forged", "?error=access_denied&state=forged"]) {
      expectFailure(await browser.open(`${callback(provider)}${query}`), "interrupted");
      expectFailure(await newBrowser().open(`${callback(provider)}${query}`), "interrupted");
    }
    expect(browser.cookies("localhost")).toEqual(underWay);
    let view = page;
    while (view.html.includes("<form"))
      view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
    stateOf(view);
    expect(await sessionsOf(userId)).toBe(0);
  });

  it("accepts a response once", async () => {
    await registered(provider);
    const browser = newBrowser();
    const page = await browser.open(await startUrl(provider));
    const checks = new Map(browser.cookies("localhost"));
    expect(checks.size).toBeGreaterThan(2);
    const sent: { url: URL; form?: URLSearchParams }[] = [];
    const open = browser.open.bind(browser);
    browser.open = (address, form, headers) => {
      const url = new URL(address);
      if (url.pathname.startsWith("/api/sso/callback/")) sent.push({ url, form });
      return open(address, form, headers);
    };
    let view = page;
    while (view.html.includes("<form"))
      view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
    stateOf(view);
    const [answer] = sent as [(typeof sent)[number]];
    const left = [...browser.cookies("localhost").keys()];
    expect(left).toEqual(["slipway-sso-ticket"]);
    expectFailure(await open(answer.url, answer.form), "interrupted");
    // Even with the cookies of before: the provider gives nothing for a code twice.
    for (const [name, value] of checks) browser.cookies("localhost").set(name, value);
    expectFailure(await open(answer.url, answer.form), "provider_failed");
  });

  it("reports a failure of the provider, and lets the same user sign in when it has recovered", async () => {
    const { userId } = await registered(provider);
    const broken = [
      { status: 500, body: "<html>Internal Server Error</html>", contentType: "text/html" },
      { status: 200, body: "nonsense" },
      { status: 200, body: "{}" },
      { status: 200, body: "null" },
      { status: 302, body: "" },
      { status: 200, body: `"${"x".repeat(2_000_000)}"` },
    ];
    for (const answer of broken) {
      const browser = newBrowser();
      const page = await browser.open(await startUrl(provider));
      servers[provider].falsify = (path) => (/token$/.test(path) ? answer : undefined);
      let view = page;
      while (view.html.includes("<form"))
        view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
      expectFailure(view, "provider_failed");
      servers[provider].falsify = () => undefined;
    }
    expect(await sessionsOf(userId)).toBe(0);
    stateOf(await signIn(provider));
  });

  it("refuses a provider that was switched off or lost its configuration in the meantime", async () => {
    const { userId } = await registered(provider);
    const browser = newBrowser();
    const page = await browser.open(await startUrl(provider));
    await setProviderEnabled(db, provider, false);
    let view = page;
    while (view.html.includes("<form"))
      view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
    expectFailure(view, "provider_not_configured");

    await setProviderEnabled(db, provider, true);
    const state = stateOf(await signIn(provider, browser));
    await setProviderEnabled(db, provider, false);
    const late = await send(oauthLoginCreateSession, browser.caller, { state });
    expect([late.status, late.body.code]).toEqual([409, "provider_not_configured"]);

    await noProviderConfig(provider);
    const begun = await send(oauthLogin, ANONYMOUS, { provider });
    expect([begun.status, begun.body.code]).toEqual([409, "provider_not_configured"]);
    expectFailure(await newBrowser().open(`${APP_URL}/api/sso/signin/${provider}`), "provider_not_configured");
    expect(await sessionsOf(userId)).toBe(0);
  });
});

describe.each(openId)("an ID token of %s", (provider) => {
  const now = () => Math.floor(Date.now() / 1000);

  it.each([
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another client", { aud: "another" }],
    ["with another nonce", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: Math.floor(Date.now() / 1000) - 60, iat: Math.floor(Date.now() / 1000) - 600 }],
    ["without an end", { exp: undefined }],
    ["that is not good yet", { nbf: Math.floor(Date.now() / 1000) + 86_400 }],
    ["for another access token", { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["without a subject", { sub: undefined, oid: undefined }],
    ["with a subject longer than any", { sub: "x".repeat(300), oid: "x".repeat(300) }],
  ])("%s opens nothing", async (_which, wrong) => {
    const { userId } = await registered(provider);
    servers[provider].forge = (claims) => ({ ...claims, ...wrong }) as never;
    expectFailure(await signIn(provider), "provider_failed");
    expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).providerSubject).toBeNull();
  });

  it("signed by another key than the provider's is refused", async () => {
    await registered(provider);
    servers[provider].foreignKey = true;
    expectFailure(await signIn(provider), "provider_failed");
  });

  it("is accepted within the tolerance between two clocks", async () => {
    await registered(provider);
    servers[provider].forge = (claims) => ({ ...claims, exp: now() - 5 });
    stateOf(await signIn(provider));
  });
});

describe("a ticket", () => {
  it("begins one session, also with several simultaneous calls", async () => {
    const { userId } = await registered("google");
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => send(oauthLoginCreateSession, browser.caller, { state })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(tries.find(({ status }) => status === 401)?.body.code).toBe("invalid_token");
    expect(await sessionsOf(userId)).toBe(1);
  });

  it("is refused in another browser, which may have seen the address", async () => {
    await registered("google");
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    const other = newBrowser();
    for (const caller of [ANONYMOUS, other.caller]) {
      const answer = await send(oauthLoginCreateSession, caller, { state });
      expect([answer.status, answer.body.code]).toEqual([401, "invalid_token"]);
    }
    const forged = { headers: { cookie: "slipway-sso-ticket=forged." } };
    expect((await send(oauthLoginCreateSession, forged, { state })).status).toBe(401);
    expect((await send(oauthLoginCreateSession, browser.caller, { state })).status).toBe(200);
  });

  it("ends after a minute, and is kept as nothing but a hash", async () => {
    const { userId } = await registered("google");
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    const [row] = await db.oneTimeToken.findMany({ where: { purpose: "sso", subject: userId } });
    expect(row?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    const kept = JSON.stringify(await db.oneTimeToken.findMany());
    expect(kept).not.toContain(state);
    expect(kept).not.toContain(browser.cookies("localhost").get("slipway-sso-ticket"));
    await db.oneTimeToken.updateMany({ where: { subject: userId }, data: { expiresAt: new Date() } });
    const late = await send(oauthLoginCreateSession, browser.caller, { state });
    expect([late.status, late.body.code]).toEqual([401, "invalid_token"]);
  });

  it("is refused for a user who was switched off in the meantime", async () => {
    const { userId } = await registered("google");
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    await db.user.update({ where: { id: userId }, data: { status: "inactive" } });
    const answer = await send(oauthLoginCreateSession, browser.caller, { state });
    expect([answer.status, answer.body.code]).toEqual([401, "invalid_credentials"]);
    expect(await sessionsOf(userId)).toBe(0);
  });

  it("does not take a person of another server for one of the earlier server with the same subject", async () => {
    const { userId, person, email } = await registered("gitlab");
    stateOf(await signIn("gitlab"));
    const moved = await startIdentityProvider({ consoleUrl, as: "gitlab", emailInToken: false });
    try {
      const { clientId, clientSecret, issuer: baseUrl } = moved;
      const admin = await aUser({ admin: true });
      const answer = await send(updateGitlabConfig, admin, { clientId, clientSecret, baseUrl });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const browser = () => new TestBrowser(() => [moved.issuer]);
      moved.person = { ...aPerson("gitlab"), sub: person.sub };
      expectFailure(await signIn("gitlab", browser()), "not_registered");
      moved.person = aPerson("gitlab", email);
      stateOf(await signIn("gitlab", browser()));
      const linked = await db.user.findUniqueOrThrow({ where: { id: userId } });
      expect(linked.providerSubject).toBe(moved.person.sub);
    } finally {
      await moved.close();
    }
  });

  it("links nobody to an account of the earlier server if the server changes at the same time", async () => {
    const { userId } = await registered("gitlab");
    const { clientId, clientSecret } = servers.gitlab;
    const url = await startUrl("gitlab");
    const { view } = await db.$transaction(async (tx) => {
      await saveProviderConfig(tx, {
        provider: "gitlab",
        clientId,
        clientSecret,
        baseUrl: "https://gitlab.acme.com",
      });
      const view = newBrowser().through(url, "Continue");
      await untilWaitingForLocks(1);
      return { view };
    }, LONG_TRANSACTION);
    expectFailure(await view, "interrupted");
    expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).providerSubject).toBeNull();
  });

  it("is refused for a user who is switched off at the same time", async () => {
    const { userId } = await registered("google");
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    const { answer } = await db.$transaction(async (tx) => {
      await tx.user.update({ where: { id: userId }, data: { status: "inactive" } });
      const answer = send(oauthLoginCreateSession, browser.caller, { state });
      await untilWaitingForLocks(1);
      return { answer };
    }, LONG_TRANSACTION);
    expect((await answer).body.code).toBe("invalid_credentials");
    expect(await sessionsOf(userId)).toBe(0);
  });

  it("begins a session that must pass the second factor of a user who has one", async () => {
    const { userId } = await registered("google");
    await db.twoFactor.create({ data: { userId, secret: Buffer.from("sealed"), enabledAt: new Date() } });
    const browser = newBrowser();
    const state = stateOf(await signIn("google", browser));
    const answer = await send(oauthLoginCreateSession, browser.caller, { state });
    expect([answer.status, answer.body.twoFactorRequired]).toEqual([200, true]);
    expect((await db.session.findFirst({ where: { userId } }))?.secondFactorAt).toBeNull();
  });
});

describe("the first sign-in", () => {
  it("works in two windows of the same user at the same time", async () => {
    const { userId } = await registered("google");
    const views = await Promise.all([signIn("google"), signIn("google")]);
    views.map(stateOf);
    const records = await db.auditRecord.count({ where: { action: "link-provider", recordId: userId } });
    expect(records).toBe(1);
  });

  it("accepts one of two simultaneous subjects with one e-mail", async () => {
    const { email } = await registered("google");
    const [one, two] = [newBrowser(), newBrowser()];
    const first = await one.open(await startUrl("google"));
    const firstBack = await one.submit(first);
    servers.google.person = aPerson("google", email);
    const secondBack = await two.submit(await two.open(await startUrl("google")));
    stateOf(firstBack);
    expectFailure(secondBack, "not_registered");
  });

  it("compares e-mails without regard to the case of A to Z, and to that alone", async () => {
    const { userId } = await registered("google");
    // KELVIN SIGN, whose lower case is the letter k.
    await db.user.update({ where: { id: userId }, data: { email: `k.${userId}@example.test` } });
    servers.google.person = aPerson("google", `\u212a.${userId}@example.test`);
    expectFailure(await signIn("google"), "not_registered");
    servers.google.person = aPerson("google", `K.${userId}@Example.Test`);
    stateOf(await signIn("google"));
  });

  it("does not read the e-mail as a pattern", async () => {
    const { email } = await registered("google");
    servers.google.person = aPerson("google", `%${email.slice(1)}`);
    expectFailure(await signIn("google"), "not_registered");
    servers.google.person = aPerson("google", `_${email.slice(1)}`);
    expectFailure(await signIn("google"), "not_registered");
  });
});

describe("azure", () => {
  it("refuses a token of another tenant", async () => {
    const { person } = await registered("azure");
    servers.azure.person = { ...person, tid: randomUUID() };
    expectFailure(await signIn("azure"), "provider_failed");
  });

  it("uses the sign-in name if the directory has no e-mail", async () => {
    const { person, email } = await registered("azure");
    servers.azure.person = { ...person, email: undefined, preferred_username: email };
    stateOf(await signIn("azure"));
  });
});

describe("an OpenID provider with settings of its own", () => {
  const started: IdentityProvider[] = [];
  afterAll(() => Promise.all(started.map((one) => one.close())));

  /** Puts another provider in GitLab's place for one test. */
  async function inPlaceOfGitlab(options: Partial<IdentityProviderOptions>): Promise<IdentityProvider> {
    const other = await startIdentityProvider({ consoleUrl, as: "gitlab", ...options });
    started.push(other);
    const { clientId, clientSecret, issuer } = other;
    await aProviderConfig("gitlab", { clientId, clientSecret, baseUrl: issuer }, { enabled: true });
    const { person } = await registered("gitlab");
    other.person = person;
    return other;
  }
  const browserFor = (other: IdentityProvider) => new TestBrowser(() => [other.issuer]);

  it.each(["RS512", "PS256", "ES256", "ES384", "EdDSA"] as const)(
    "may sign with %s, if that is what it advertises",
    async (algorithm) => {
      const other = await inPlaceOfGitlab({ algorithm });
      stateOf(await signIn("gitlab", browserFor(other)));
      other.foreignKey = true;
      expectFailure(await signIn("gitlab", browserFor(other)), "provider_failed");
    },
  );

  it.each([
    ["another algorithm than it advertises", "ES256", ["RS256"]],
    ["what no published key verifies", "ES256", ["HS256", "none"]],
  ] as const)("opens nothing if it signs with %s", async (_which, algorithm, advertised) => {
    const other = await inPlaceOfGitlab({ algorithm });
    const path = "/.well-known/openid-configuration";
    const metadata = (await (await fetch(other.issuer + path)).json()) as object;
    const body = JSON.stringify({ ...metadata, id_token_signing_alg_values_supported: advertised });
    other.falsify = (asked) => (asked === path ? { status: 200, body } : undefined);
    expectFailure(await signIn("gitlab", browserFor(other)), "provider_failed");
  });

  it("receives the secret in the header, if its client may not send it in the body", async () => {
    const other = await inPlaceOfGitlab({ clientAuthentication: "client_secret_basic" });
    stateOf(await signIn("gitlab", browserFor(other)));
  });

  it("may sign what its userinfo endpoint answers", async () => {
    const other = await inPlaceOfGitlab({ signedUserinfo: true, emailInToken: false, algorithm: "ES256" });
    stateOf(await signIn("gitlab", browserFor(other)));
  });

  it.each([
    ["email", undefined],
    ["email", null],
    ["email_verified", undefined],
    ["email_verified", null],
  ])("may have %s at its userinfo endpoint alone, where its token has %s", async (claim, value) => {
    const other = await inPlaceOfGitlab({});
    other.forge = (claims) => ({ ...claims, [claim]: value });
    stateOf(await signIn("gitlab", browserFor(other)));
  });

  it("vouches for the address beside its word, and for no other", async () => {
    const other = await inPlaceOfGitlab({});
    const { email } = await registered("gitlab");
    other.forge = (claims) => ({ ...claims, email, email_verified: undefined });
    expectFailure(await signIn("gitlab", browserFor(other)), "email_unverified");
  });

  it("opens nothing with the userinfo of another subject", async () => {
    const other = await inPlaceOfGitlab({ emailInToken: false });
    const body = JSON.stringify({ ...other.person, sub: "another" });
    other.falsify = (path) => (path === "/me" ? { status: 200, body } : undefined);
    expectFailure(await signIn("gitlab", browserFor(other)), "provider_failed");
  });
});

describe.each(["google", "azure"] as const)("claims of %s that are no address and no word for it", (provider) => {
  const vouch = provider === "azure" ? "xms_edov" : "email_verified";
  it.each([
    ["email", null],
    ["email", 7],
    ["email", ""],
    ["email", `${"x".repeat(250)}@example.test`],
    [vouch, null],
    [vouch, 7],
    [vouch, ""],
    [vouch, "perhaps"],
  ])("vouch for nobody, and keep nobody out who is known: %s is %j", async (claim, value) => {
    const { userId, person } = await registered(provider);
    const silent = { ...person, [claim]: value };
    servers[provider].person = silent;
    servers[provider].forge = (claims) => ({ ...claims, [claim]: value }) as never;
    expectFailure(await signIn(provider), "email_unverified");
    await db.user.update({ where: { id: userId }, data: { providerSubject: subjectOf(provider, person) } });
    stateOf(await signIn(provider));
  });
});

describe("github", () => {
  it("uses the primary e-mail, and only if it is verified", async () => {
    const { person, email } = await registered("github");
    const emails = (primary: boolean, verified: boolean) => [
      { email: "else@example.test", primary: !primary, verified: true },
      { email, primary, verified },
    ];
    servers.github.person = { ...person, emails: emails(false, true) };
    expectFailure(await signIn("github"), "not_registered");
    servers.github.person = { ...person, emails: emails(true, false) };
    expectFailure(await signIn("github"), "email_unverified");
    servers.github.person = { ...person, emails: [] };
    expectFailure(await signIn("github"), "email_unverified");
    servers.github.person = { ...person, emails: emails(true, true) };
    stateOf(await signIn("github"));
  });

  it("accepts no access token from the address", async () => {
    const { userId } = await registered("github");
    let browser = newBrowser();
    await browser.through(await startUrl("github"), "Continue");
    const stolen = servers.github.requests.length;
    servers.github.falsify = (path) =>
      path === "/api/v3/user"
        ? { status: 200, body: JSON.stringify({ id: Number(servers.github.person.sub) }) }
        : undefined;
    browser = newBrowser();
    const page = await browser.open(await startUrl("github"));
    const state = page.url.searchParams.get("state");
    const forged = `${callback("github")}?state=${state}&access_token=gho_stolen&token_type=bearer`;
    expectFailure(await browser.open(forged), "provider_failed");
    expect(servers.github.requests.slice(stolen).filter((request) => request.includes("/user"))).toEqual([]);
    expect(await sessionsOf(userId)).toBe(0);
  });

  it("says so where GitHub fails to tell who it is", async () => {
    await registered("github");
    for (const path of ["/api/v3/user", "/api/v3/user/emails"]) {
      for (const answer of [
        { status: 500, body: "{}" },
        { status: 200, body: "nonsense" },
        { status: 200, body: '{"id":"1; DROP TABLE"}' },
      ]) {
        servers.github.falsify = (asked) => (asked === path ? answer : undefined);
        expectFailure(await signIn("github"), "provider_failed");
      }
    }
  });
});

describe("oauth-login", () => {
  const NOWHERE = [
    "//evil.example",
    "/.//evil.example",
    "https://evil.example/",
    "http://localhost:80/",
    "javascript:x",
  ];

  it.each([...NOWHERE, "http://127.0.0.1/", "http://127.0.0.1:1@evil.example/", "/api/auth/logout"])(
    "does not lead to %s afterwards",
    async (redirectTo) => {
      const answer = await send(oauthLogin, ANONYMOUS, { provider: "google", redirectTo });
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, "redirectTo"]);
      // Nor where the address is written by hand.
      const { userId } = await registered("google");
      const browser = newBrowser();
      const start = `${APP_URL}/api/sso/signin/google?${new URLSearchParams({ redirectTo })}`;
      const state = stateOf(await browser.through(start));
      const session = await send(oauthLoginCreateSession, browser.caller, { state });
      expect([session.body.user.id, session.body.redirectTo]).toEqual([userId, null]);
    },
  );

  it("does not lead where a cookie says that something else than this console wrote", async () => {
    for (const redirectTo of NOWHERE) {
      await registered("google");
      const browser = newBrowser();
      let view = await browser.open(await startUrl("google"));
      browser.cookies("localhost").set("slipway-sso-google-redirect", encodeURIComponent(redirectTo));
      view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
      const state = stateOf(view);
      const [binding] = (browser.cookies("localhost").get("slipway-sso-ticket") as string).split(".");
      const forged = `${binding}.${Buffer.from(redirectTo).toString("base64url")}`;
      browser.cookies("localhost").set("slipway-sso-ticket", forged);
      const answer = await send(oauthLoginCreateSession, browser.caller, { state });
      expect([answer.status, answer.body.redirectTo]).toEqual([200, null]);
    }
  });

  it("gives a command-line tool its state at the port where it waits, and a session for the state alone", async () => {
    const { userId } = await registered("google");
    const view = await signIn("google", newBrowser(), "http://127.0.0.1:49152/callback?run=7");
    expect(view.url.origin + view.url.pathname).toBe("http://127.0.0.1:49152/callback");
    expect(view.url.searchParams.get("run")).toBe("7");
    const answer = await send(oauthLoginCreateSession, ANONYMOUS, { state: view.url.searchParams.get("state") });
    expect([answer.status, answer.body.user?.id, answer.body.redirectTo]).toEqual([200, userId, null]);
    expect(answer.headers.get("set-cookie")).toContain("slipway-session=");
    const refused = await newBrowser().through(await startUrl("google", "http://127.0.0.1:49152/callback"), "Cancel");
    expect(refused.url.href).toBe("http://127.0.0.1:49152/callback?error=cancelled");
  });

  it.each<Record<string, string>>([{ origin: APP_URL }, { origin: "null" }, { "sec-fetch-site": "same-origin" }])(
    "does not sign in a browser with the state of a command-line tool: %j",
    async (headers) => {
      const { userId } = await registered("google");
      const tool = await signIn("google", newBrowser(), "http://127.0.0.1:49152/callback");
      const state = tool.url.searchParams.get("state");
      const fresh = await send(oauthLoginCreateSession, { headers }, { state });
      expect([fresh.status, fresh.body.code]).toEqual([401, "invalid_token"]);
      // A browser that has the cookie of a sign-in of its own.
      const busy = newBrowser();
      stateOf(await signIn("google", busy));
      expect((await send(oauthLoginCreateSession, busy.caller, { state })).status).toBe(401);
      expect(await sessionsOf(userId)).toBe(0);
      expect((await send(oauthLoginCreateSession, ANONYMOUS, { state })).body.user.id).toBe(userId);
    },
  );

  it("is not begun by another site's page", async () => {
    const view = await newBrowser().open(await startUrl("google"), undefined, { "sec-fetch-site": "cross-site" });
    expect(view.url.href).toBe(`${APP_URL}/`);
  });

  it("says at once where the provider does not answer, or another speaks for it, and asks again the next time", async () => {
    const wellKnown = await fetch(`${servers.google.issuer}/.well-known/openid-configuration`);
    const metadata = (await wellKnown.json()) as object;
    // An issuer that was not requested before.
    const fresh = await startIdentityProvider({ consoleUrl, as: "google" });
    await aProviderConfig(
      "google",
      { clientId: "slipway", clientSecret: "x", baseUrl: fresh.issuer },
      { enabled: true },
    );
    for (const answer of [
      { status: 500, body: "{}" },
      { status: 404, body: "{}" },
      { status: 200, body: "<html>" },
      { status: 200, body: "{}" },
      { status: 200, body: JSON.stringify(metadata) },
      { status: 200, body: JSON.stringify({ ...metadata, issuer: fresh.issuer, jwks_uri: "file:///etc/passwd" }) },
    ]) {
      fresh.falsify = () => answer;
      const tries = [1, 2].map(() => send(oauthLogin, ANONYMOUS, { provider: "google" }));
      for (const refused of await Promise.all(tries)) {
        expect([refused.status, refused.body.code], answer.body).toEqual([502, "provider_failed"]);
      }
      expectFailure(await newBrowser().open(`${APP_URL}/api/sso/signin/google`), "provider_failed");
    }
    fresh.falsify = () => undefined;
    expect((await send(oauthLogin, ANONYMOUS, { provider: "google" })).status).toBe(200);
    await fresh.close();
    await aProviderConfig("gitlab", { clientId: "x", clientSecret: "x", baseUrl: fresh.issuer }, { enabled: true });
    expect((await send(oauthLogin, ANONYMOUS, { provider: "gitlab" })).body.code).toBe("provider_failed");
  });

  it("sends no request to a private network that the settings do not allow", async () => {
    await aProviderConfig(
      "gitlab",
      { clientId: "x", clientSecret: "x", baseUrl: "http://10.0.0.1" },
      { enabled: true },
    );
    const answer = await send(oauthLogin, ANONYMOUS, { provider: "gitlab" });
    expect([answer.status, answer.body.code]).toEqual([502, "provider_failed"]);
  });

  it("knows no other provider", async () => {
    for (const provider of ["email", "facebook", "__proto__", ""]) {
      expect((await send(oauthLogin, ANONYMOUS, { provider })).status).toBe(422);
      const view = await newBrowser().open(`${APP_URL}/api/sso/signin/${provider}`);
      expect(view.status).toBe(404);
    }
  });

  it("leaves the rest of next-auth unserved", async () => {
    for (const path of ["session", "csrf", "providers", "signout", "error", "_log", "signin", "verify-request"]) {
      const view = await newBrowser().open(`${APP_URL}/api/sso/${path}`);
      expect([path, view.status]).toEqual([path, 404]);
      const posted = await newBrowser().open(`${APP_URL}/api/sso/${path}/google`, new URLSearchParams({ a: "b" }));
      expect([path, posted.status]).toEqual([path, path === "signin" ? 405 : 404]);
    }
  });

  it("answers a wrong method with 405 and the right ones, and names the request in every answer", async () => {
    const ask = (path: string, method: string) => handleSso(new Request(`${APP_URL}/api/sso/${path}`, { method }));
    for (const [path, allowed] of [
      ["signin/google", "GET"],
      ["callback/google", "GET, POST"],
    ] as const) {
      for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (allowed.includes(method)) continue;
        const answer = await ask(path, method);
        expect([path, method, answer.status, answer.headers.get("allow")]).toEqual([path, method, 405, allowed]);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
      }
    }
    for (const [path, method, status] of [
      ["signin/google", "GET", 303],
      ["signin/google", "PUT", 405],
      ["callback/google", "GET", 303],
      ["callback/google", "POST", 303],
      ["session", "GET", 404],
    ] as const) {
      const answer = await ask(path, method);
      expect([answer.status, answer.headers.get("x-request-id")]).toEqual([
        status,
        expect.stringMatching(/^[\da-f-]{36}$/),
      ]);
    }
  });

  it("does not ask a provider about an answer that this browser has not asked for", async () => {
    const fresh = await startIdentityProvider({ consoleUrl, as: "google" });
    await aProviderConfig(
      "google",
      { clientId: "slipway", clientSecret: "x", baseUrl: fresh.issuer },
      { enabled: true },
    );
    let asked = 0;
    fresh.falsify = () => {
      asked += 1;
      return undefined;
    };
    for (const query of ["", "?code=1", "?code=1&state=forged"]) {
      expectFailure(await newBrowser().open(`${callback("google")}${query}`), "interrupted");
    }
    expect(asked).toBe(0);
    await newBrowser().open(`${APP_URL}/api/sso/signin/google`);
    expect(asked).toBeGreaterThan(0);
    await fresh.close();
  });

  it("records a stranger's sign-ins up to the bound of what anyone can add", async () => {
    servers.google.person = aPerson("google");
    await db.rateLimit.create({ data: { key: "anonymous-records:unknown", points: 600, expire: Date.now() + 60_000 } });
    const before = await db.auditRecord.count({ where: { action: "sign-in-failed" } });
    const browser = newBrowser();
    expectFailure(await browser.through(`${APP_URL}/api/sso/signin/google`, "Continue"), "rate_limited");
    expect(await db.auditRecord.count({ where: { action: "sign-in-failed" } })).toBe(before);
  });

  it("does not count what others in the same network begin against a device from which somebody has signed in", async () => {
    const { email } = await registered("google");
    const device = await db.$transaction((tx) => makeDeviceFamiliar(tx, email, new Headers()));
    const data = { points: 120, expire: Date.now() + 60_000 };
    await db.rateLimit.create({ data: { key: "sso:unknown", ...data } });
    const begin = async (cookie: string) => {
      const headers = { cookie: `slipway-device=${cookie}` };
      return (await handleSso(new Request(`${APP_URL}/api/sso/signin/google`, { headers }))).headers.get("location");
    };
    const finish = async (cookie: string) => {
      const headers = { cookie: `slipway-device=${cookie}` };
      return (await handleSso(new Request(callback("google"), { headers }))).headers.get("location");
    };
    const stranger = "a".repeat(43);
    expect([await begin(stranger), await finish(stranger)]).toEqual(
      Array(2).fill(`${APP_URL}/oauth-login?error=rate_limited`),
    );
    expect(await begin(device)).toContain(servers.google.issuer);
    expect(await finish(device)).toBe(`${APP_URL}/oauth-login?error=interrupted`);
  });

  it("finishes a sign-in that began with a master key that is no longer the first one", async () => {
    await registered("google");
    const browser = newBrowser();
    let view = await browser.open(`${APP_URL}/api/sso/signin/google`);
    const keys = parseMasterKeys(`${newMasterKey()},${env.MASTER_KEY}`);
    const rotated = vi.mocked(masterKeys).mockReturnValue(keys);
    try {
      while (view.html.includes("<form"))
        view = await browser.submit(view, view.html.includes("Continue") ? "Continue" : "");
      stateOf(view);
    } finally {
      rotated.mockReset();
    }
  });

  it("gives no session of next-auth's own", async () => {
    await registered("google");
    const browser = newBrowser();
    stateOf(await signIn("google", browser));
    expect([...browser.cookies("localhost").keys()]).toEqual(["slipway-sso-ticket"]);
  });

  it("uses a new secret from the next sign-in on", async () => {
    await registered("google");
    const { clientId, clientSecret, issuer } = servers.google;
    await aProviderConfig("google", { clientId, clientSecret: "wrong", baseUrl: issuer }, { enabled: true });
    expectFailure(await signIn("google"), "provider_failed");
    await aProviderConfig("google", { clientId, clientSecret, baseUrl: issuer }, { enabled: true });
    stateOf(await signIn("google"));
  });
});

describe("get-logout-url", () => {
  async function sessionBy(provider: SsoProvider) {
    await registered(provider);
    const browser = newBrowser();
    const state = stateOf(await signIn(provider, browser));
    const answer = await send(oauthLoginCreateSession, browser.caller, { state });
    const token = /session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] as string;
    return { headers: cookieHeaders(token) };
  }

  it("names the provider's own sign-out, and nothing where it has none or the session began here", async () => {
    const { body } = await send(getLogoutUrl, await sessionBy("azure"));
    const url = new URL(body.url);
    expect(url.href.startsWith(servers.azure.issuer)).toBe(true);
    expect(url.searchParams.get("client_id")).toBe(servers.azure.clientId);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${APP_URL}/`);
    expect((await send(getLogoutUrl, await sessionBy("github"))).body).toEqual({ url: null });
    expect((await send(getLogoutUrl, await aUser())).body).toEqual({ url: null });
  });

  it("names nothing where the provider is gone, so that signing out here does not depend on it", async () => {
    const caller = await sessionBy("azure");
    await noProviderConfig("azure");
    expect((await send(getLogoutUrl, caller)).body).toEqual({ url: null });
  });
});
