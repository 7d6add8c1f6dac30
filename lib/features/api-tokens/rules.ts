import { identifierSchema } from "@/lib/features/apps/schema";
import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";
import type { Scope } from "@/lib/permissions/scopes";

/** The longest validity of a token, in years. */
export const MAX_YEARS = 5;

/** The longest bundle ID of one part that a token takes, in characters: a longer one is a mistyped fingerprint. */
const MAX_ONE_PART = 50;

/**
 * Whether a text is an Android signing SHA-256 (hex, with or without colons), an iOS bundle ID or `server`. `Server` in
 * another case is refused, because it would pass for a bundle ID.
 */
export function isTokenIdentifier(text: string): boolean {
  if (text === SERVER_IDENTIFIER || /^[0-9a-f]{64}$/i.test(text) || /^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/i.test(text))
    return true;
  const mistyped = text.toLowerCase() === SERVER_IDENTIFIER || (!text.includes(".") && text.length > MAX_ONE_PART);
  return !mistyped && identifierSchema.safeParse(text).success;
}

/** The last moment until which a token made now may be good. */
export function latestEnd(now: Date): Date {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + MAX_YEARS);
  return end;
}

/**
 * What a token holds unless its scopes are named. A server's token lies where it can be kept secret: it reads the
 * environment and publishes to it. An app's token can be read out of the app by whoever has it: it changes nothing and
 * reads what the app itself is given.
 */
export function defaultScopes(identifiers: readonly string[]): Scope[] {
  return identifiers.includes(SERVER_IDENTIFIER)
    ? [
        "release:download",
        "release:create",
        "environment:read",
        "dev-variable:read",
        "secure-variable:read",
        "secure-certificate:read",
      ]
    : ["release:read", "environment:read", "secure-variable:read", "secure-certificate:read"];
}
