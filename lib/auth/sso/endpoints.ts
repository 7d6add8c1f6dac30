import "server-only";
import { z } from "zod";
import { type ConfigOf, githubEndpoints, issuerOf, type SsoConfig } from "@/lib/auth/providers";
import { outboundFetch } from "@/lib/http/outbound";
import { SignInFailure } from "./failure";

/** Where a provider is spoken to. */
export interface Endpoints {
  /** Who must have issued what it sends. */
  issuer: string;
  authorization: string;
  token: string;
  /** Null where the provider issues no ID tokens (GitHub). */
  jwks: string | null;
  userinfo: string | null;
  /** Where a sign-out of ours goes on, for providers that end their own session too (OpenID RP-Initiated Logout). */
  endSession: string | null;
}

/** How long a discovery document is cached: a sign-in reads it twice within seconds. */
const DISCOVERY_CACHE_MS = 5 * 60_000;

const endpoint = z.url({ protocol: /^https?$/ });
/** What is needed of OpenID Provider Metadata (OpenID Connect Discovery 1.0, 3). */
const metadataSchema = z.object({
  issuer: z.string().min(1).max(500),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional(),
});

type OpenIdConfig = Exclude<SsoConfig, { provider: "github" }>;

/**
 * What is wrong with a provider's discovery document: `missing` there is none (404) · `status` another answer ·
 * `unreadable` no document of OpenID · `issuer` it speaks for another · `insecure` it leads from https to http.
 */
export type DiscoveryProblem = "missing" | "status" | "unreadable" | "issuer" | "insecure";

/** A discovery document that cannot be used. */
export class DiscoveryError extends Error {
  constructor(
    readonly problem: DiscoveryProblem,
    /** What was found instead of what was expected: the status, or the issuer. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`discovery document: ${problem} ${found}`, options);
    this.name = "DiscoveryError";
  }
}

const TENANT_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** The tenant that an Azure issuer or authority names by its id; null where it names none. */
export function tenantOf(address: string): string | null {
  return TENANT_ID.exec(new URL(address).pathname)?.[0].toLowerCase() ?? null;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/**
 * A discovery document must speak for the issuer that was asked (Discovery 1.0, 4.3). Azure's does not where the
 * authority names the tenant by a domain, so its tenants are compared instead; a document for tenants of any kind
 * (`common`, `organizations`) is refused, for its e-mails are the word of whoever has a tenant.
 */
function speaksFor(config: OpenIdConfig, asked: string, issuer: string): boolean {
  if (withoutSlash(issuer) === withoutSlash(asked)) return true;
  if (config.provider !== "azure" || !URL.canParse(issuer) || /[{}]|%7b/i.test(issuer)) return false;
  const tenant = tenantOf(config.authority);
  return tenant === null || tenant === tenantOf(issuer);
}

/** @returns null where there is no such document */
async function discoverAt(config: OpenIdConfig, issuer: string): Promise<Endpoints | null> {
  const answer = await outboundFetch(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: "application/json" },
  });
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new DiscoveryError("status", String(answer.status));
  const { data: metadata, error } = metadataSchema.safeParse(await answer.json().catch(() => null));
  if (!metadata) throw new DiscoveryError("unreadable", issuer, { cause: error });
  if (!speaksFor(config, issuer, metadata.issuer)) throw new DiscoveryError("issuer", metadata.issuer);
  const endpoints = {
    issuer: metadata.issuer,
    authorization: metadata.authorization_endpoint,
    token: metadata.token_endpoint,
    jwks: metadata.jwks_uri,
    userinfo: metadata.userinfo_endpoint ?? null,
    endSession: metadata.end_session_endpoint ?? null,
  };
  // What begins under TLS does not go on without it.
  const insecure = Object.values(endpoints).some((address) => address?.startsWith("http:"));
  if (insecure && issuer.startsWith("https:")) throw new DiscoveryError("insecure", issuer);
  return endpoints;
}

/**
 * Asks a provider for its addresses.
 * @throws DiscoveryError, or OutboundError where it is not reached
 */
export async function discover(config: OpenIdConfig): Promise<Endpoints> {
  const issuer = issuerOf(config);
  const found = await discoverAt(config, issuer);
  if (found) return found;
  // An authority is commonly written as Microsoft's libraries want it, without the version of the protocol.
  const versioned = config.provider === "azure" ? await discoverAt(config, `${issuer}/v2.0`) : null;
  if (versioned) return versioned;
  throw new DiscoveryError("missing", issuer);
}

function ofGithub(config: ConfigOf<"github">): Endpoints {
  const { authorization, token, api } = githubEndpoints(config);
  const issuer = new URL("/login/oauth", authorization).href;
  return { issuer, authorization, token, jwks: null, userinfo: `${api}/user`, endSession: null };
}

const discovered = new Map<string, { until: number; endpoints: Promise<Endpoints> }>();

/**
 * A provider's addresses: GitHub's are known, the others say theirs in a discovery document, which is kept for five
 * minutes.
 * @throws SignInFailure provider_failed where it does not answer, or not as it must
 */
export async function endpointsOf(config: SsoConfig): Promise<Endpoints> {
  if (config.provider === "github") return ofGithub(config);
  const key = `${config.provider} ${issuerOf(config)}`;
  const kept = discovered.get(key);
  const endpoints = kept && kept.until > Date.now() ? kept.endpoints : discover(config);
  if (endpoints !== kept?.endpoints) discovered.set(key, { until: Date.now() + DISCOVERY_CACHE_MS, endpoints });
  try {
    return await endpoints;
  } catch (cause) {
    // Others that wait for the same document may have let go of it, and one of them asked anew.
    if (discovered.get(key)?.endpoints === endpoints) discovered.delete(key);
    throw new SignInFailure("provider_failed", { cause });
  }
}
