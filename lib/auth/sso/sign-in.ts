import "server-only";
import {
  accountIssuer,
  lockProviderConfig,
  providerUris,
  readProvider,
  type SsoConfig,
  type SsoProvider,
} from "@/lib/auth/providers";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/kernel/env";
import { endpointsOf } from "./endpoints";
import { SignInFailure } from "./failure";
import { SSO_PATH } from "./next-auth";

/**
 * The configuration of a provider that is switched on. It is read at every step, so that changes apply to sign-ins that
 * have begun.
 * @throws SignInFailure provider_not_configured
 */
export async function enabledProvider(db: Db, provider: SsoProvider): Promise<SsoConfig> {
  const { enabled, config } = await readProvider(db, provider);
  if (!enabled || config === null) throw new SignInFailure("provider_not_configured");
  return config as SsoConfig;
}

/**
 * Checks that a provider's accounts are still those of the configuration with which an identity was verified, and keeps the
 * configuration until the transaction ends: a change of the issuer unlinks the users of the earlier one.
 * @throws SignInFailure interrupted, provider_not_configured
 */
export async function requireSameIssuer(tx: Db, verifiedWith: SsoConfig): Promise<void> {
  await lockProviderConfig(tx, verifiedWith.provider);
  const current = await enabledProvider(tx, verifiedWith.provider);
  if (accountIssuer(current) !== accountIssuer(verifiedWith)) throw new SignInFailure("interrupted");
}

/**
 * The address that begins a sign-in in any browser. It is not the provider's address, which requires cookies, because a
 * command-line tool opens it in another program than the one that requested it.
 * @param redirectTo already checked
 * @throws SignInFailure provider_not_configured, provider_failed
 */
export async function signInUrl(db: Db, provider: SsoProvider, redirectTo: string | undefined): Promise<string> {
  await endpointsOf(await enabledProvider(db, provider));
  const url = new URL(`${env.APP_URL}${SSO_PATH}/signin/${provider}`);
  if (redirectTo !== undefined) url.searchParams.set("redirectTo", redirectTo);
  return url.href;
}

/**
 * The address that ends the provider's session after the sign-out from the console (OpenID Connect RP-Initiated Logout
 * 1.0, without a hint, because ID tokens are not stored).
 * @returns null if the provider has none or does not respond; signing out of the console does not depend on it
 */
export async function providerLogoutUrl(db: Db, provider: SsoProvider): Promise<string | null> {
  try {
    const config = await enabledProvider(db, provider);
    const { endSession } = await endpointsOf(config);
    if (endSession === null) return null;
    const url = new URL(endSession);
    url.searchParams.set("client_id", config.clientId);
    url.searchParams.set("post_logout_redirect_uri", providerUris(provider).logoutUri);
    return url.href;
  } catch (error) {
    if (error instanceof SignInFailure) return null;
    throw error;
  }
}
