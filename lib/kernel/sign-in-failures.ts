/**
 * The reasons why a sign-in at a provider fails, as shown to the user (`oauthLogin.errors.<reason>`):
 * - `cancelled`: the user cancelled it at the provider
 * - `interrupted`: this browser did not start the sign-in, or it has expired or was already completed
 * - `not_registered`: there is no active user with this provider and email; it does not reveal whether an account exists
 * - `email_unverified`: the provider has not verified the email
 * - `provider_not_configured`: the provider is switched off
 * - `provider_failed`: the provider's response is missing or invalid
 * - `rate_limited`, `unavailable`: the user can retry later
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
