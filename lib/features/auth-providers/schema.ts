import { z } from "zod";
import { providerSchema } from "@/lib/features/auth/schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";

/** The ways to sign in that lead to somebody else's page, and need a configuration. */
export const ssoProviderSchema = providerSchema.exclude(["email"]);
export type SsoProviderName = z.output<typeof ssoProviderSchema>;

/** A way to sign in. All but the first two fields are for administrators. */
export const authProviderSchema = z.object({
  provider: providerSchema,
  enabled: z.boolean(),
  /** Whether it could be switched on. */
  configured: z.boolean().optional(),
  redirectUri: z.string().optional(),
  cliRedirectUri: z.string().optional(),
  logoutUri: z.string().optional(),
});
export type AuthProvider = z.output<typeof authProviderSchema>;
/** The same as an administrator sees it. */
export type AdministeredProvider = Required<AuthProvider>;

export const authProvidersSchema = z.object({ items: z.array(authProviderSchema) });

export const updateAuthProviderInput = z.strictObject({
  provider: providerSchema,
  enabled: z.boolean(),
  /** What it must still be; otherwise, the call ends with `conflict` and changes nothing. */
  expected: z.strictObject({ enabled: z.boolean() }).optional(),
});

const clientId = z.string().trim().min(1).max(300);
const clientSecret = z.string().trim().min(1).max(2_000);
/** Identifiers of ten characters in Apple's console; a test of the configuration tells where one is not. */
const appleId = z.string().trim().min(1).max(50).regex(/^\w+$/);
const privateKey = z.string().trim().min(1).max(4_000);

/** The root of a provider: an address to which paths are appended. */
const baseUrl = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .pipe(z.url({ protocol: /^https?$/, error: "url" }))
  .refine(
    (text) => {
      const url = URL.parse(text);
      return url === null || (!url.username && !url.password && !url.search && !url.hash);
    },
    { error: "plainUrl" },
  );

/**
 * Microsoft's authorities for all tenants. The administrator of any tenant can give its users any e-mail, so an e-mail
 * from one of these proves nothing.
 */
const EVERY_TENANT = /^https:\/\/login\.[^/]+\/(common|organizations|consumers)(\/|$)/i;

const authority = baseUrl.refine((text) => !EVERY_TENANT.test(text), { error: "azureTenant" });

const oauth = { clientId, clientSecret, baseUrl: baseUrl.optional() };
/** What is left out stays as it is; a `baseUrl` of null goes back to the public service. */
const oauthChange = {
  clientId: clientId.optional(),
  clientSecret: clientSecret.optional(),
  baseUrl: baseUrl.nullish(),
  ifUpdatedAt: ifUpdatedAtSchema,
};
/** When the configuration was stored, or the provider was switched on or off. */
const updatedAt = z.iso.datetime();
const shownOauth = z.object({
  clientId: z.string(),
  baseUrl: z.string().nullable(),
  clientSecretSet: z.literal(true),
  updatedAt,
});

/** What each provider is configured with. */
export const createConfigInputs = {
  apple: z.strictObject({ clientId, teamId: appleId, keyId: appleId, privateKey }),
  azure: z.strictObject({ clientId, clientSecret, authority }),
  github: z.strictObject(oauth),
  gitlab: z.strictObject(oauth),
  google: z.strictObject(oauth),
};

/** The same where a configuration changes: what is left out, the secret above all, stays. */
export const updateConfigInputs = {
  apple: z.strictObject({
    clientId: clientId.optional(),
    teamId: appleId.optional(),
    keyId: appleId.optional(),
    privateKey: privateKey.optional(),
    ifUpdatedAt: ifUpdatedAtSchema,
  }),
  azure: z.strictObject({
    clientId: clientId.optional(),
    clientSecret: clientSecret.optional(),
    authority: authority.optional(),
    ifUpdatedAt: ifUpdatedAtSchema,
  }),
  github: z.strictObject(oauthChange),
  gitlab: z.strictObject(oauthChange),
  google: z.strictObject(oauthChange),
};

/** A configuration as the API shows it: that a secret is there, never the secret. */
export const shownConfigs = {
  apple: z.object({
    clientId: z.string(),
    teamId: z.string(),
    keyId: z.string(),
    privateKeySet: z.literal(true),
    updatedAt,
  }),
  azure: z.object({ clientId: z.string(), authority: z.string(), clientSecretSet: z.literal(true), updatedAt }),
  github: shownOauth,
  gitlab: shownOauth,
  google: shownOauth,
};
/** The shown configuration of a provider. */
export type ShownConfig<P extends SsoProviderName = SsoProviderName> = z.output<(typeof shownConfigs)[P]>;

export const testAuthProviderInput = z.strictObject({ provider: ssoProviderSchema });

/** What is looked at, in this order: address, issuer, keys, and whether the provider takes the client for what it says. */
const checkNameSchema = z.enum(["values", "discovery", "issuer", "keys", "credentials"]);

export const testAuthProviderResultSchema = z.object({
  provider: ssoProviderSchema,
  /** Nothing was found that would stop a sign-in. */
  ok: z.boolean(),
  checks: z.array(
    z.object({
      check: checkNameSchema,
      /** `unknown`: the provider does not tell before a person signs in. */
      outcome: z.enum(["passed", "failed", "unknown"]),
      /** What was found, and what to do about it, in the caller's language. */
      message: z.string(),
    }),
  ),
});
export type TestResult = z.output<typeof testAuthProviderResultSchema>;
