import "server-only";
import { z } from "zod";
import type { Db } from "@/lib/db/client";
import type { Provider } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import { seal, unseal } from "@/lib/kernel/crypto/sealed";
import { env } from "@/lib/kernel/env";

/** The providers that a user can be registered with, in display order. */
export const PROVIDERS = ["email", "apple", "azure", "github", "gitlab", "google"] as const satisfies Provider[];

/** The external providers. */
export type SsoProvider = Exclude<Provider, "email">;

const text = z.string().min(1);
const oauth = { clientId: text, clientSecret: text, baseUrl: text.optional() };

const configSchema = z.discriminatedUnion("provider", [
  /** Sign in with Apple: the service's identifier, and the key that signs the client secret (PKCS#8 PEM, P-256). */
  z.object({ provider: z.literal("apple"), clientId: text, teamId: text, keyId: text, privateKey: text }),
  /** `authority`: the tenant's, `https://login.microsoftonline.com/<tenant>`, or that of any OpenID issuer. */
  z.object({ provider: z.literal("azure"), clientId: text, clientSecret: text, authority: text }),
  /** `baseUrl`: of a self-hosted installation (GitHub Enterprise Server); without it, the public service. */
  z.object({ provider: z.literal("github"), ...oauth }),
  z.object({ provider: z.literal("gitlab"), ...oauth }),
  z.object({ provider: z.literal("google"), ...oauth }),
]);

/** The configuration of an external provider with its secret in plain text. It never leaves the server. */
export type SsoConfig = z.output<typeof configSchema>;

/** The same for every provider; e-mail needs nothing. */
export type ProviderConfig = SsoConfig | { provider: "email" };

/** The configuration of one provider. */
export type ConfigOf<P extends Provider> = Extract<ProviderConfig, { provider: P }>;

/** The one field of a configuration that is a secret. */
export function secretField(provider: SsoProvider): "privateKey" | "clientSecret" {
  return provider === "apple" ? "privateKey" : "clientSecret";
}

function place(provider: Provider) {
  return { table: "AuthProvider", id: provider, column: "secret" };
}

/** The current state of a provider, without its secret. */
export interface ProviderState {
  provider: Provider;
  enabled: boolean;
  /** Whether it can be switched on. */
  configured: boolean;
}

/** All six, in the order of PROVIDERS. */
export async function listProviders(db: Db): Promise<ProviderState[]> {
  const rows = await db.authProvider.findMany({ select: { provider: true, enabled: true, config: true } });
  return PROVIDERS.map((provider) => {
    const row = rows.find((one) => one.provider === provider);
    return {
      provider,
      enabled: row?.enabled ?? false,
      configured: provider === "email" || (row?.config ?? null) !== null,
    };
  });
}

/** Whether a provider is switched on. */
export async function isProviderEnabled(db: Db, provider: Provider): Promise<boolean> {
  const row = await db.authProvider.findUnique({ where: { provider }, select: { enabled: true } });
  return row?.enabled ?? false;
}

/**
 * One provider with its secret unsealed.
 * @returns `config` null if it was never configured, `updatedAt` null if nothing is stored of it
 * @throws SealedError if the secret cannot be opened with the given master keys
 */
export async function readProvider<P extends Provider>(
  db: Db,
  provider: P,
): Promise<{ enabled: boolean; config: ConfigOf<P> | null; updatedAt: Date | null }> {
  const row = await db.authProvider.findUnique({ where: { provider } });
  const { enabled = false, updatedAt = null } = row ?? {};
  if (provider === "email") return { enabled, config: { provider } as ConfigOf<P>, updatedAt };
  if (!row?.config || !row.secret) return { enabled, config: null, updatedAt };
  const secret = unseal(row.secret, place(provider)).toString();
  const config = configSchema.parse({
    ...(row.config as Record<string, unknown>),
    provider,
    [secretField(provider as SsoProvider)]: secret,
  });
  return { enabled, config: config as ConfigOf<P>, updatedAt };
}

/**
 * Stores a configuration with its secret sealed. A provider that is configured for the first time is off.
 * @returns when it was stored
 */
export async function saveProviderConfig(db: Db, config: SsoConfig): Promise<Date> {
  const { provider } = config;
  const field = secretField(provider);
  const { provider: _name, [field]: secret, ...shown } = config as SsoConfig & Record<typeof field, string>;
  const data = { config: shown, secret: seal(secret, place(provider)) };
  const { updatedAt } = await db.authProvider.upsert({
    where: { provider },
    create: { provider, enabled: false, ...data },
    update: data,
    select: { updatedAt: true },
  });
  return updatedAt;
}

/** Locks the configuration of a provider, so that it does not change until the transaction ends. Several can hold the lock. */
export async function lockProviderConfig(tx: Db, provider: SsoProvider): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM "AuthProvider" WHERE "provider" = ${provider}::"Provider" FOR SHARE`);
}

/** Switches a provider on or off. */
export async function setProviderEnabled(db: Db, provider: Provider, enabled: boolean): Promise<void> {
  await db.authProvider.upsert({ where: { provider }, create: { provider, enabled }, update: { enabled } });
}

/** The addresses to enter in the settings of an external provider. */
export interface ProviderUris {
  /** Where the provider sends the browser after a sign-in: next-auth's callback. */
  redirectUri: string;
  /**
   * Where the command-line tool's sign-in ends: a port of the person's own machine (RFC 8252, 7.3: any port). The
   * provider itself still answers to `redirectUri`, from which the console sends the tool's browser on.
   */
  cliRedirectUri: string;
  /** Where the provider may send the browser after a sign-out. */
  logoutUri: string;
}

/** They start with APP_URL. */
export function providerUris(provider: Provider): ProviderUris {
  return {
    redirectUri: `${env.APP_URL}/api/sso/callback/${provider}`,
    cliRedirectUri: "http://127.0.0.1/callback",
    logoutUri: `${env.APP_URL}/`,
  };
}

/** Microsoft's own sign-in hosts, whose authorities are commonly written without the protocol version. */
const MICROSOFT_HOSTS =
  /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|[a-z0-9-]+\.ciamlogin\.com)$/;

/** The provider's OpenID issuer; its discovery document is at `<issuer>/.well-known/openid-configuration`. */
export function issuerOf(config: Exclude<SsoConfig, { provider: "github" }>): string {
  switch (config.provider) {
    case "apple":
      return env.APPLE_ISSUER;
    case "azure": {
      const authority = config.authority.replace(/\/+$/, "");
      const microsoft = MICROSOFT_HOSTS.test(new URL(authority).hostname);
      return microsoft && !authority.endsWith("/v2.0") ? `${authority}/v2.0` : authority;
    }
    case "gitlab":
      return (config.baseUrl ?? "https://gitlab.com").replace(/\/+$/, "");
    case "google":
      return (config.baseUrl ?? "https://accounts.google.com").replace(/\/+$/, "");
  }
}

/** GitHub's addresses. It uses OAuth 2.0 without OpenID, so they are fixed, below the base of an Enterprise Server. */
export function githubEndpoints(config: Pick<ConfigOf<"github">, "baseUrl">): {
  authorization: string;
  token: string;
  api: string;
} {
  const base = (config.baseUrl ?? "https://github.com").replace(/\/+$/, "");
  return {
    authorization: `${base}/login/oauth/authorize`,
    token: `${base}/login/oauth/access_token`,
    api: base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`,
  };
}

/**
 * Names what gives a provider's accounts their identifiers: its issuer, and for Apple also the team. The same identifier of
 * another issuer is another person.
 */
export function accountIssuer(config: SsoConfig): string {
  if (config.provider === "apple") return `${issuerOf(config)} ${config.teamId}`;
  return new URL(config.provider === "github" ? githubEndpoints(config).authorization : issuerOf(config)).href;
}
