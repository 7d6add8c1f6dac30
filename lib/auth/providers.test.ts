import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { SealedError } from "@/lib/kernel/crypto/sealed";
import { env } from "@/lib/kernel/env";
import { setUpTestDatabase } from "@/scripts/test-database";
import {
  githubEndpoints,
  isProviderEnabled,
  issuerOf,
  listProviders,
  PROVIDERS,
  providerUris,
  readProvider,
  type SsoConfig,
  saveProviderConfig,
  setProviderEnabled,
} from "./providers";

setUpTestDatabase();

const configs: SsoConfig[] = [
  { provider: "apple", clientId: "com.acme.web", teamId: "TEAM123456", keyId: "KEY1234567", privateKey: "the-secret" },
  {
    provider: "azure",
    clientId: "1",
    clientSecret: "the-secret",
    authority: "https://login.microsoftonline.com/acme.com",
  },
  { provider: "github", clientId: "2", clientSecret: "the-secret" },
  { provider: "gitlab", clientId: "3", clientSecret: "the-secret", baseUrl: "https://gitlab.acme.com" },
  { provider: "google", clientId: "4", clientSecret: "the-secret" },
];

beforeEach(() => db.authProvider.deleteMany({ where: { provider: { not: "email" } } }));

describe("a provider's configuration", () => {
  it.each(configs)("of $provider comes back as it was saved, and is off at first", async (config) => {
    await saveProviderConfig(db, config);
    expect(await readProvider(db, config.provider)).toEqual({ enabled: false, config, updatedAt: expect.any(Date) });
  });

  it.each(configs)("of $provider holds no readable secret in its row", async (config) => {
    await saveProviderConfig(db, config);
    const row = await db.authProvider.findUniqueOrThrow({ where: { provider: config.provider } });
    expect(JSON.stringify(row.config)).not.toContain("the-secret");
    expect(Buffer.from(row.secret as Uint8Array).includes("the-secret")).toBe(false);
  });

  it("does not open with the secret of another provider's row", async () => {
    for (const config of configs) await saveProviderConfig(db, config);
    const { secret } = await db.authProvider.findUniqueOrThrow({ where: { provider: "google" } });
    await db.authProvider.update({ where: { provider: "gitlab" }, data: { secret } });
    await expect(readProvider(db, "gitlab")).rejects.toThrow(SealedError);
  });

  it("is nothing for a provider that was never configured, and needs nothing for e-mail", async () => {
    expect(await readProvider(db, "google")).toEqual({ enabled: false, config: null, updatedAt: null });
    expect(await readProvider(db, "email")).toMatchObject({ enabled: true, config: { provider: "email" } });
  });

  it("stays switched on when it is saved again", async () => {
    const config: SsoConfig = { provider: "google", clientId: "4", clientSecret: "one" };
    await saveProviderConfig(db, config);
    await setProviderEnabled(db, "google", true);
    await saveProviderConfig(db, { ...config, clientSecret: "two" });
    expect(await readProvider(db, "google")).toMatchObject({
      enabled: true,
      config: { ...config, clientSecret: "two" },
    });
    expect(await isProviderEnabled(db, "google")).toBe(true);
  });
});

it("lists all six in one order, configured or not", async () => {
  await saveProviderConfig(db, configs[2] as SsoConfig);
  const states = await listProviders(db);
  expect(states.map(({ provider }) => provider)).toEqual([...PROVIDERS]);
  expect(states.filter(({ configured }) => configured).map(({ provider }) => provider)).toEqual(["email", "github"]);
  expect(states.filter(({ enabled }) => enabled).map(({ provider }) => provider)).toEqual(["email"]);
});

it("makes the addresses from the console's public one", () => {
  expect(providerUris("gitlab")).toEqual({
    redirectUri: `${env.APP_URL}/api/sso/callback/gitlab`,
    cliRedirectUri: "http://127.0.0.1/callback",
    logoutUri: `${env.APP_URL}/`,
  });
});

describe("where a provider is found", () => {
  const azure = (authority: string) => issuerOf({ provider: "azure", clientId: "1", clientSecret: "2", authority });

  it.each([
    ["https://login.microsoftonline.com/acme.com", "https://login.microsoftonline.com/acme.com/v2.0"],
    ["https://login.microsoftonline.com/acme.com/", "https://login.microsoftonline.com/acme.com/v2.0"],
    ["https://login.microsoftonline.com/acme.com/v2.0", "https://login.microsoftonline.com/acme.com/v2.0"],
    ["https://acme.ciamlogin.com/1", "https://acme.ciamlogin.com/1/v2.0"],
    ["https://login.acme.com/oidc/", "https://login.acme.com/oidc"],
  ])("takes the authority %s for the issuer %s", (authority, issuer) => {
    expect(azure(authority)).toBe(issuer);
  });

  it("is the public service, or the installation that was named", () => {
    expect(issuerOf({ provider: "gitlab", clientId: "1", clientSecret: "2" })).toBe("https://gitlab.com");
    expect(issuerOf({ provider: "google", clientId: "1", clientSecret: "2", baseUrl: "https://id.acme.com/" })).toBe(
      "https://id.acme.com",
    );
    expect(githubEndpoints({}).api).toBe("https://api.github.com");
    expect(githubEndpoints({ baseUrl: "https://git.acme.com/" })).toEqual({
      authorization: "https://git.acme.com/login/oauth/authorize",
      token: "https://git.acme.com/login/oauth/access_token",
      api: "https://git.acme.com/api/v3",
    });
  });
});
