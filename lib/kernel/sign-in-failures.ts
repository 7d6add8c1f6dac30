/**
 * Why a sign-in by a provider did not come about, as the person is told it (`oauthLogin.errors.<reason>`):
 * - `cancelled`: they turned back at the provider
 * - `interrupted`: this browser began no such sign-in, or too long ago, or has finished it already
 * - `not_registered`: nobody active is registered with this provider and e-mail; the same for accounts that exist and that do not
 * - `email_unverified`: the provider does not vouch for the e-mail
 * - `provider_not_configured`: the provider is switched off
 * - `provider_failed`: the provider did not answer, or not as it must
 * - `rate_limited`, `unavailable`: try later
 */
export const SIGN_IN_FAILURES = [
  "cancelled",
  "interrupted",
  "not_registered",
  "email_unverified",
  "provider_not_configured",
  "provider_failed",
  "rate_limited",
  "unavailable",
] as const;

export type SignInFailureReason = (typeof SIGN_IN_FAILURES)[number];
