import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";

/** The kind of caller that an identifier of a token stands for. */
type IdentifierKind = "server" | "android" | "ios";

/** Distinguishes an Android signing SHA-256, an iOS bundle ID and the word `server`. Expects a valid identifier. */
export function identifierKind(identifier: string): IdentifierKind {
  if (identifier === SERVER_IDENTIFIER) return "server";
  return /^[0-9a-f:]{64,95}$/i.test(identifier) && /^[0-9a-f]{64}$/i.test(identifier.replaceAll(":", ""))
    ? "android"
    : "ios";
}

/** Shortens a fingerprint for lists to its first and last digits. Returns other identifiers unchanged. */
export function shortIdentifier(identifier: string): string {
  if (identifierKind(identifier) !== "android") return identifier;
  const digits = identifier.replaceAll(":", "").toLowerCase();
  return `${digits.slice(0, 8)}…${digits.slice(-8)}`;
}
