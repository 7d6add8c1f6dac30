import { SERVER } from "@/lib/features/api-tokens/rules";

/** What an identifier of a token says of its callers. */
export type IdentifierKind = "server" | "android" | "ios";

/** Tells an Android signing SHA-256, an iOS bundle ID and the word `server` apart; the text is a valid identifier. */
export function identifierKind(identifier: string): IdentifierKind {
  if (identifier === SERVER) return "server";
  return /^[0-9a-f:]{64,95}$/i.test(identifier) && /^[0-9a-f]{64}$/i.test(identifier.replaceAll(":", ""))
    ? "android"
    : "ios";
}

/** A fingerprint short enough for a list: its first and last digits. Anything else as it is. */
export function shortIdentifier(identifier: string): string {
  if (identifierKind(identifier) !== "android") return identifier;
  const digits = identifier.replaceAll(":", "").toLowerCase();
  return `${digits.slice(0, 8)}…${digits.slice(-8)}`;
}
