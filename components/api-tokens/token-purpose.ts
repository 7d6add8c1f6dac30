import { z } from "zod";
import { defaultScopes } from "@/lib/features/api-tokens/rules";
import type { createApiTokenInput } from "@/lib/features/api-tokens/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import type { RequestedDialog } from "@/lib/kernel/navigation/requested-dialog";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { SERVER_IDENTIFIER } from "@/lib/permissions/actor";
import type { Scope } from "@/lib/permissions/scopes";
import { identifierKind } from "./identifier-kind";
import type { TokenPurpose } from "./token-place";

/** Who can use a token. It decides the identifiers and the recommended scopes. */
export const TOKEN_PURPOSES = ["server", "ios", "android"] as const satisfies readonly TokenPurpose[];

/** The scope with which a CI job tells groups of testers of what it publishes. */
export const TELLS_GROUPS: Scope = "release:update";

/** The scopes that the form selects at first: those of a token for which none are named. */
export function recommendedScopes(purpose: TokenPurpose): Scope[] {
  return defaultScopes(identifiersOf(purpose, []));
}

const requestedTokenSchema = z
  .object({
    open: z.literal("create-token" satisfies RequestedDialog),
    "open.purpose": z.enum(TOKEN_PURPOSES).catch("server"),
    "open.environment": idSchema.optional().catch(undefined),
  })
  .transform((query) => ({ purpose: query["open.purpose"], environmentId: query["open.environment"] }));

/** The token that the address of a page asks to create; null if it asks for none. */
export function requestedToken(query: SearchParams): z.output<typeof requestedTokenSchema> | null {
  return requestedTokenSchema.safeParse(query).data ?? null;
}

/** Whether a text is an identifier of this kind of caller. */
export function isIdentifierOf(purpose: TokenPurpose, identifier: string): boolean {
  return identifierKind(identifier) === purpose;
}

/** The identifiers that are sent: a server has none of its own. */
export function identifiersOf(
  purpose: TokenPurpose,
  identifiers: readonly string[],
): z.input<typeof createApiTokenInput>["identifiers"] {
  return purpose === "server" ? [SERVER_IDENTIFIER] : [...identifiers];
}
