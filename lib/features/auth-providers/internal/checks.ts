import "server-only";
import { z } from "zod";
import { type ConfigOf, issuerOf, providerUris, type SsoConfig } from "@/lib/auth/providers";
import { appleClientSecret } from "@/lib/auth/sso/apple-secret";
import { clientCredentials, isAsymmetric, keySetSchema, refusesClient, verifies } from "@/lib/auth/sso/client-methods";
import { DiscoveryError, discover, type Endpoints, endpointsOf } from "@/lib/auth/sso/endpoints";
import type { TestResult } from "@/lib/features/auth-providers/schema";
import { OutboundError, type OutboundFailure, outboundFetch } from "@/lib/http/outbound";
import { ApiError } from "@/lib/kernel/errors";
import type { AppTranslator } from "@/lib/kernel/i18n/translator";

type Check = TestResult["checks"][number];

/** The provider cannot be reached or fails, which says nothing about the configuration. */
function unavailable(host: string, cause?: unknown): ApiError {
  return new ApiError("provider_failed", { params: { host }, detailKey: "detailHost", cause });
}

/** Failures of a request that say nothing about the configuration. */
type UnavailableFailure = Extract<OutboundFailure, "timeout" | "unreachable">;

/**
 * What a failed request says about the configuration.
 * @throws ApiError provider_failed if it says nothing; `error` if it is not a failure of a request
 */
function configurationFailure(error: unknown): { failure: Exclude<OutboundFailure, UnavailableFailure>; host: string } {
  if (!(error instanceof OutboundError)) throw error;
  const { failure, host } = error;
  if (failure === "timeout" || failure === "unreachable") throw unavailable(host, error);
  return { failure, host };
}

/** Identifiers in Apple's console. */
const APPLE_ID = /^[A-Z0-9]{10}$/;
/** Codes with which a token endpoint says that it knows the client and its secret, and only the code is none. */
const CLIENT_ACCEPTED = new Set(["invalid_grant", "bad_verification_code"]);
/** Microsoft looks at the code before the secret; for a token of the client's own it looks at the secret. */
const MICROSOFT = /(^|\.)(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|ciamlogin\.com)$/;

const tokenAnswerSchema = z.object({
  error: z.string().max(200).optional(),
  error_description: z.string().optional().catch(undefined),
  access_token: z.string().optional(),
});
/** The longest quotation of a provider's own words. */
const MAX_DESCRIPTION = 300;

/**
 * Tries a configuration as a sign-in would use it, as far as that goes without a person: the discovery document, its
 * issuer and its keys, and what the token endpoint says to the client with a code that cannot be one.
 *
 * @param t puts what was found into the caller's language
 * @throws ApiError provider_failed if the provider is unavailable
 */
export async function checkProvider(config: SsoConfig, t: AppTranslator): Promise<Check[]> {
  const checks: Check[] = [];
  const note: Note = (check, outcome, message) => checks.push({ check, outcome, message });
  const secret = config.provider === "apple" ? await checkApple(config, note, t) : config.clientSecret;
  const endpoints = config.provider === "github" ? await endpointsOf(config) : await checkDiscovery(config, note, t);
  if (endpoints?.jwks) await checkKeys(endpoints.jwks, endpoints.signingAlgorithms, note, t);
  if (endpoints && secret !== null) await checkCredentials(config, secret, endpoints, note, t);
  return checks;
}

type Note = (check: Check["check"], outcome: Check["outcome"], message: string) => void;

/** @returns the client secret that the key signs; null if it does not */
async function checkApple(config: ConfigOf<"apple">, note: Note, t: AppTranslator): Promise<string | null> {
  if (!APPLE_ID.test(config.teamId)) note("values", "failed", t("providerChecks.teamId"));
  if (!APPLE_ID.test(config.keyId)) note("values", "failed", t("providerChecks.keyId"));
  try {
    const secret = await appleClientSecret(config, issuerOf(config));
    note("values", "passed", t("providerChecks.keySigns"));
    return secret;
  } catch {
    note("values", "failed", t("providerChecks.keyUnusable"));
    return null;
  }
}

async function checkDiscovery(
  config: Exclude<SsoConfig, { provider: "github" }>,
  note: Note,
  t: AppTranslator,
): Promise<Endpoints | null> {
  try {
    const endpoints = await discover(config);
    note("discovery", "passed", t("providerChecks.discovery"));
    note("issuer", "passed", t("providerChecks.issuer", { issuer: endpoints.issuer }));
    return endpoints;
  } catch (error) {
    if (!(error instanceof DiscoveryError)) {
      const { failure, host } = configurationFailure(error);
      note("discovery", "failed", t(`providerChecks.requests.${failure}`, { host }));
    } else if (error.problem === "issuer") {
      note("discovery", "passed", t("providerChecks.discovery"));
      note("issuer", "failed", t("providerChecks.issuerMismatch", { found: error.found }));
    } else if (error.problem === "status" && Number(error.found) >= 500) {
      throw unavailable(new URL(issuerOf(config)).host, error);
    } else {
      note("discovery", "failed", t(`providerChecks.documents.${error.problem}`, { found: error.found }));
    }
    return null;
  }
}

async function checkKeys(jwks: string, advertised: string[], note: Note, t: AppTranslator): Promise<void> {
  const algorithms = advertised.filter(isAsymmetric);
  if (algorithms.length === 0) {
    note("keys", "failed", t("providerChecks.symmetric", { algorithms: advertised.join(", ") || "none" }));
    return;
  }
  try {
    const answer = await outboundFetch(jwks, { headers: { accept: "application/json" } });
    if (answer.status >= 500) throw unavailable(new URL(jwks).host);
    const { data } = keySetSchema.safeParse(await answer.json().catch(() => null));
    const usable = data?.keys.filter((key) => verifies(key, algorithms)) ?? [];
    if (usable.length > 0) note("keys", "passed", t("providerChecks.keys", { count: usable.length }));
    else note("keys", "failed", t("providerChecks.noKeys", { algorithms: algorithms.join(", ") }));
  } catch (error) {
    const { failure, host } = configurationFailure(error);
    note("keys", "failed", t(`providerChecks.requests.${failure}`, { host }));
  }
}

/** What a token endpoint answers to the client. */
interface TokenAnswer {
  status: number;
  error: string;
  /** The provider's own words, on one line; empty if it gives none. */
  description: string;
  accessToken: boolean;
}

/** Asks the token endpoint in each of the ways in which a sign-in sends the secret, until one is not refused. */
async function askTokenEndpoint(config: SsoConfig, secret: string, endpoints: Endpoints): Promise<TokenAnswer> {
  const { redirectUri } = providerUris(config.provider);
  const host = new URL(endpoints.token).hostname;
  const grant: Record<string, string> =
    config.provider === "azure" && MICROSOFT.test(host)
      ? { grant_type: "client_credentials", scope: `${config.clientId}/.default` }
      : { grant_type: "authorization_code", code: "slipway-configuration-test", redirect_uri: redirectUri };
  let last: TokenAnswer | undefined;
  for (const method of endpoints.clientAuthentications) {
    const { headers, form } = clientCredentials(method, { id: config.clientId, secret });
    const answer = await outboundFetch(endpoints.token, {
      method: "POST",
      headers: { accept: "application/json", ...headers },
      body: new URLSearchParams({ ...grant, ...form }),
    });
    if (answer.status >= 500) throw unavailable(host);
    const { data } = tokenAnswerSchema.safeParse(await answer.json().catch(() => null));
    const words = (data?.error_description ?? "").replaceAll(secret, "•••").replace(/\s+/g, " ").trim();
    last = {
      status: answer.status,
      error: data?.error ?? "",
      description: words.slice(0, MAX_DESCRIPTION),
      accessToken: data?.access_token !== undefined,
    };
    if (!refusesClient(last.status, last.error)) break;
  }
  return last as TokenAnswer;
}

async function checkCredentials(
  config: SsoConfig,
  secret: string,
  endpoints: Endpoints,
  note: Note,
  t: AppTranslator,
): Promise<void> {
  const { redirectUri } = providerUris(config.provider);
  try {
    const { status, error, description, accessToken } = await askTokenEndpoint(config, secret, endpoints);
    if (accessToken || CLIENT_ACCEPTED.has(error)) {
      note("credentials", "passed", t("providerChecks.credentials"));
    } else if (error === "redirect_uri_mismatch") {
      note("credentials", "failed", t("providerChecks.redirectUri", { redirectUri }));
    } else if (refusesClient(status, error) || (config.provider === "github" && status === 404)) {
      const methods = endpoints.clientAuthentications.join(", ");
      const refusal = t(`providerChecks.refused.${config.provider === "apple" ? "apple" : "secret"}`, { methods });
      note("credentials", "failed", description ? t("providerChecks.described", { refusal, description }) : refusal);
    } else {
      note("credentials", "unknown", t("providerChecks.undecided", { answer: error || String(status) }));
    }
  } catch (error) {
    const { failure, host: failedHost } = configurationFailure(error);
    note("credentials", "failed", t(`providerChecks.requests.${failure}`, { host: failedHost }));
  }
}
