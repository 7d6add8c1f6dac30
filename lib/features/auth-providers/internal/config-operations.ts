import "server-only";
import { z } from "zod";
import { requireUnchanged } from "@/lib/api/expected";
import { orNotFound } from "@/lib/api/list";
import { defineCommand, defineQuery } from "@/lib/api/operation";
import { type Changes, changesBetween } from "@/lib/audit/write";
import {
  accountIssuer,
  githubEndpoints,
  issuerOf,
  readProvider,
  type SsoConfig,
  saveProviderConfig,
  secretField,
} from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import { lockSignInMethods } from "@/lib/features/auth-providers/data";
import { normalizeAppleKey } from "@/lib/features/auth-providers/rules";
import type { SsoProviderName } from "@/lib/features/auth-providers/schema";
import { outboundProblem } from "@/lib/http/outbound";
import { invalidField, takenConflict } from "@/lib/kernel/errors";

const NAMES: Record<SsoProviderName, string> = {
  apple: "Apple",
  azure: "Microsoft",
  github: "GitHub",
  gitlab: "GitLab",
  google: "Google",
};

/** A configuration, and when something of its provider was stored last. */
interface StoredConfig {
  config: SsoConfig;
  updatedAt: Date;
}

/** A configuration as answers show it: that its secret is set, not which. */
function shown(config: SsoConfig) {
  switch (config.provider) {
    case "apple": {
      const { clientId, teamId, keyId } = config;
      return { clientId, teamId, keyId, privateKeySet: true as const };
    }
    case "azure": {
      const { clientId, authority } = config;
      return { clientId, authority, clientSecretSet: true as const };
    }
    default: {
      const { clientId, baseUrl = null } = config;
      return { clientId, baseUrl, clientSecretSet: true as const };
    }
  }
}

/** The same by the schema of its provider, which the compiler does not follow through `shown`. */
function shownAs<O extends z.ZodType>({ config, updatedAt }: StoredConfig): z.input<O> {
  return { ...shown(config), updatedAt: updatedAt.toISOString() } as z.input<O>;
}

/**
 * What a schema, which the browser knows too, cannot tell: whether this server would ask that address, and whether the
 * key is one.
 * @throws ApiError validation_failed
 */
function checked(config: SsoConfig): SsoConfig {
  const [field, address] =
    config.provider === "apple"
      ? []
      : config.provider === "azure"
        ? (["authority", config.authority] as const)
        : (["baseUrl", config.baseUrl] as const);
  const problem = address && outboundProblem(new URL(address));
  if (field && problem) throw invalidField(field, problem === "insecure" ? "httpsOnly" : "publicAddress");
  if (config.provider !== "apple") return config;
  const privateKey = normalizeAppleKey(config.privateKey);
  if (!privateKey) throw invalidField("privateKey", "applePrivateKey");
  return { ...config, privateKey };
}

/** The server that a configuration's secret is sent to; Apple's stands in the settings and not in the configuration. */
function serverOf(config: SsoConfig): string | null {
  if (config.provider === "apple") return null;
  return new URL(config.provider === "github" ? githubEndpoints(config).token : issuerOf(config)).origin;
}

/**
 * A saved secret was entered for the server that it is sent to. A caller who names another server has to enter it again,
 * so that a stolen administrator's session cannot make the console reveal it.
 * @throws ApiError validation_failed
 */
function requireSecretForAddress(before: SsoConfig, after: SsoConfig, given: object): void {
  const field = secretField(after.provider);
  if (serverOf(before) !== serverOf(after) && (given as Record<string, unknown>)[field] === undefined) {
    throw invalidField(field, "secretForAddress");
  }
}

/** That a secret is new, as the audit record may say it: the record hides the values of fields with such names. */
function auditOf(before: SsoConfig | null, after: SsoConfig) {
  const field = secretField(after.provider);
  const secretOf = (config: SsoConfig | null) => (config as Record<string, unknown> | null)?.[field];
  return changesBetween(before && { ...shown(before), [field]: secretOf(before) }, {
    ...shown(after),
    [field]: secretOf(after),
  });
}

async function existing(db: Db, provider: SsoProviderName): Promise<StoredConfig | null> {
  const { config, updatedAt } = await readProvider(db, provider);
  return config && updatedAt && { config, updatedAt };
}

/** The configuration of a provider without its secret. */
export function getConfigOperation<O extends z.ZodType>(provider: SsoProviderName, output: O) {
  return defineQuery({
    area: "config",
    name: `get-${provider}-config`,
    summary: `Get the configuration of the sign-in with ${NAMES[provider]}, without the secret`,
    access: "admin",
    input: z.strictObject({}),
    output,
    errors: ["not_found"],
    handler: async ({ db }) => shownAs<O>(orNotFound(await existing(db, provider))),
  });
}

/** Configures a provider for the first time; it stays off until it is switched on. */
export function createConfigOperation<I extends z.ZodType, O extends z.ZodType>(
  provider: SsoProviderName,
  input: I,
  output: O,
) {
  return defineCommand({
    area: "config",
    name: `create-${provider}-config`,
    summary: `Configure the sign-in with ${NAMES[provider]}`,
    access: "admin",
    // An administrator who sets the address of the identity provider can sign in as any user.
    secondFactor: "recentIfEnrolled",
    input,
    output,
    status: 201,
    errors: ["conflict"],
    audit: { table: "AuthProvider", action: "create" },
    async handler({ input: given, tx }) {
      await lockSignInMethods(tx);
      if (await existing(tx, provider)) throw takenConflict("provider");
      const config = checked({ provider, ...(given as object) } as SsoConfig);
      const updatedAt = await saveProviderConfig(tx, config);
      return {
        output: shownAs<O>({ config, updatedAt }),
        audit: { recordId: provider, changes: auditOf(null, config) },
      };
    },
  });
}

/** What the changes of all providers have. */
interface EditedConfig {
  ifUpdatedAt?: string | undefined;
}

/**
 * Unlinks the users of a provider from their accounts if the accounts of a new configuration are those of another issuer, where
 * the same identifiers are those of other people. The next sign-in links them again by the verified e-mail.
 * @returns how many were unlinked, as the audit record says it
 */
async function unlinkUsers(tx: Db, before: SsoConfig, after: SsoConfig): Promise<Changes> {
  if (accountIssuer(before) === accountIssuer(after)) return {};
  const { count } = await tx.user.updateMany({
    where: { provider: after.provider, providerSubject: { not: null } },
    data: { providerSubject: null },
  });
  return count > 0 ? { linkedUsers: [count, 0] } : {};
}

/** Changes a provider's configuration; a secret that is left out stays, unless it would be sent to another server. */
export function updateConfigOperation<I extends z.ZodType<EditedConfig>, O extends z.ZodType>(
  provider: SsoProviderName,
  input: I,
  output: O,
) {
  return defineCommand({
    area: "config",
    name: `update-${provider}-config`,
    summary: `Change the sign-in with ${NAMES[provider]}`,
    access: "admin",
    // An administrator who sets the address of the identity provider can sign in as any user.
    secondFactor: "recentIfEnrolled",
    input,
    output,
    status: 200,
    errors: ["not_found", "conflict"],
    audit: { table: "AuthProvider", action: "update" },
    async handler({ input: { ifUpdatedAt, ...given }, tx }) {
      await lockSignInMethods(tx);
      const stored = orNotFound(await existing(tx, provider));
      requireUnchanged(stored, ifUpdatedAt);
      const before = stored.config;
      const changed = Object.entries(given).filter(([, value]) => value !== undefined);
      const merged = { ...before, ...Object.fromEntries(changed) };
      const config = checked(
        Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as SsoConfig,
      );
      requireSecretForAddress(before, config, given);
      const updatedAt = await saveProviderConfig(tx, config);
      const unlinked = await unlinkUsers(tx, before, config);
      return {
        output: shownAs<O>({ config, updatedAt }),
        audit: { recordId: provider, changes: { ...auditOf(before, config), ...unlinked } },
      };
    },
  });
}
