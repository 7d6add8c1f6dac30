import { identifierSchema } from "@/lib/features/apps/schema";
import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";
import type { Scope } from "@/lib/permissions/scopes";

/** The maximum validity of a token, in years. */
export const MAX_YEARS = 5;

/** The maximum length of a bundle ID of one part, in characters. A longer one is a mistyped fingerprint. */
const MAX_ONE_PART = 50;

/**
 * Whether a string is an Android signing SHA-256 (hex, with or without colons), an iOS bundle ID or `server`. Another
 * spelling of `server` is refused, because it would count as a bundle ID.
 */
export function isTokenIdentifier(text: string): boolean {
  if (text === SERVER_IDENTIFIER || /^[0-9a-f]{64}$/i.test(text) || /^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/i.test(text))
    return true;
  const mistyped = text.toLowerCase() === SERVER_IDENTIFIER || (!text.includes(".") && text.length > MAX_ONE_PART);
  return !mistyped && identifierSchema.safeParse(text).success;
}

/** The latest expiry that a token created now can have. */
export function latestEnd(now: Date): Date {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + MAX_YEARS);
  return end;
}

/**
 * The default scopes of a token, which the console selects at first too. A server can keep its token secret: it reads the environment
 * and publishes to it. A CI job needs no secrets: those are for tokens that name them. Anyone who has an app can extract its token: it
 * changes nothing and reads only what the app itself gets.
 */
export function defaultScopes(identifiers: readonly string[]): Scope[] {
  return identifiers.includes(SERVER_IDENTIFIER)
    ? ["release:download", "release:create", "environment:read", "dev-variable:read"]
    : ["release:read", "environment:read", "secure-variable:read", "secure-certificate:read"];
}
