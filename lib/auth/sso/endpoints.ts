import "server-only";
import { z } from "zod";
import { type ConfigOf, githubEndpoints, issuerOf, type SsoConfig } from "@/lib/auth/providers";
import { outboundFetch } from "@/lib/http/outbound";
import { type ClientAuthentication, clientAuthentications } from "./client-methods";
import { SignInFailure } from "./failure";

/** The addresses of a provider, and what it supports there. */
export interface Endpoints {
  /** The issuer of its tokens. */
  issuer: string;
  authorization: string;
  token: string;
  /** Null if the provider issues no ID tokens (GitHub). */
  jwks: string | null;
  userinfo: string | null;
  /** The sign-out of providers that end their own session too (OpenID RP-Initiated Logout). */
  endSession: string | null;
  /** The algorithms that it may sign ID tokens with, also those that the console does not accept. */
  signingAlgorithms: string[];
  /** How the client sends its secret to `token`, in the order of trying; at least one. */
  clientAuthentications: ClientAuthentication[];
}

/** How long a discovery document is cached: a sign-in reads it twice within seconds. */
const DISCOVERY_CACHE_MS = 5 * 60_000;

const endpoint = z.url({ protocol: /^https?$/ });
/** A list that is none counts as missing: each of them has a default. */
const names = z.array(z.string().max(100)).max(100).optional().catch(undefined);
/** The used part of OpenID Provider Metadata (OpenID Connect Discovery 1.0, 3). */
const metadataSchema = z.object({
  issuer: z.string().min(1).max(500),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional(),
  id_token_signing_alg_values_supported: names,
  token_endpoint_auth_methods_supported: names,
});

type OpenIdConfig = Exclude<SsoConfig, { provider: "github" }>;

/**
 * The fault of a provider's discovery document: `missing` (404), `status` (another status), `unreadable` (not an OpenID
 * document), `issuer` (of another issuer), `insecure` (it leads from https to http).
 */
type DiscoveryProblem = "missing" | "status" | "unreadable" | "issuer" | "insecure";

/** A discovery document that cannot be used. */
export class DiscoveryError extends Error {
  constructor(
    readonly problem: DiscoveryProblem,
    /** The unexpected status or issuer. */
    readonly found: string,
    options?: ErrorOptions,
  ) {
    super(`discovery document: ${problem} ${found}`, options);
    this.name = "DiscoveryError";
  }
}

const TENANT_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** The tenant ID in an Azure issuer or authority; null if there is none. */
export function tenantOf(address: string): string | null {
  return TENANT_ID.exec(new URL(address).pathname)?.[0].toLowerCase() ?? null;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/**
 * Whether a discovery document is for the requested issuer (Discovery 1.0, 4.3). If an Azure authority names the tenant by
 * a domain, the issuers differ, so the tenants are compared instead. A document for many tenants (`common`,
 * `organizations`) is refused, because the owner of any tenant could assert any e-mail address.
 */
function speaksFor(config: OpenIdConfig, asked: string, issuer: string): boolean {
  if (withoutSlash(issuer) === withoutSlash(asked)) return true;
  if (config.provider !== "azure" || !URL.canParse(issuer) || /[{}]|%7b/i.test(issuer)) return false;
  const tenant = tenantOf(config.authority);
  return tenant === null || tenant === tenantOf(issuer);
}

/** @returns null if there is no such document */
async function discoverAt(config: OpenIdConfig, issuer: string): Promise<Endpoints | null> {
  const answer = await outboundFetch(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: "application/json" },
  });
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new DiscoveryError("status", String(answer.status));
  const { data: metadata, error } = metadataSchema.safeParse(await answer.json().catch(() => null));
  if (!metadata) throw new DiscoveryError("unreadable", issuer, { cause: error });
  if (!speaksFor(config, issuer, metadata.issuer)) throw new DiscoveryError("issuer", metadata.issuer);
  const addresses = {
    issuer: metadata.issuer,
    authorization: metadata.authorization_endpoint,
    token: metadata.token_endpoint,
    jwks: metadata.jwks_uri,
    userinfo: metadata.userinfo_endpoint ?? null,
    endSession: metadata.end_session_endpoint ?? null,
  };
  // A provider on https must not lead to http.
  const insecure = Object.values(addresses).some((address) => address?.startsWith("http:"));
  if (insecure && issuer.startsWith("https:")) throw new DiscoveryError("insecure", issuer);
  return {
    ...addresses,
    // Each provider must support RS256 (OpenID Connect Core 1.0, 15.1).
    signingAlgorithms: metadata.id_token_signing_alg_values_supported ?? ["RS256"],
    clientAuthentications:
      config.provider === "apple"
        ? ["client_secret_post"]
        : clientAuthentications(metadata.token_endpoint_auth_methods_supported),
  };
}

/**
 * Reads the addresses of a provider from its discovery document.
 * @throws DiscoveryError, or OutboundError if the provider cannot be reached
 */
export async function discover(config: OpenIdConfig): Promise<Endpoints> {
  const issuer = issuerOf(config);
  const found = await discoverAt(config, issuer);
  if (found) return found;
  // Authorities are commonly written without the version of the protocol, as Microsoft's libraries expect.
  const versioned = config.provider === "azure" ? await discoverAt(config, `${issuer}/v2.0`) : null;
  if (versioned) return versioned;
  throw new DiscoveryError("missing", issuer);
}

function ofGithub(config: ConfigOf<"github">): Endpoints {
  const { authorization, token, api } = githubEndpoints(config);
  const issuer = new URL("/login/oauth", authorization).href;
  return {
    issuer,
    authorization,
    token,
    jwks: null,
    userinfo: `${api}/user`,
    endSession: null,
    signingAlgorithms: [],
    clientAuthentications: ["client_secret_post"],
  };
}

const discovered = new Map<string, { until: number; endpoints: Promise<Endpoints> }>();

/**
 * The addresses of a provider. GitHub's are fixed; the others publish theirs in a discovery document, which is cached for
 * five minutes.
 * @throws SignInFailure provider_failed if it does not respond, or with an invalid document
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
    // Another caller may have removed this document already and requested a new one.
    if (discovered.get(key)?.endpoints === endpoints) discovered.delete(key);
    throw new SignInFailure("provider_failed", { cause });
  }
}
