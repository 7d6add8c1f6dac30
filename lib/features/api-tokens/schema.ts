import { z } from "zod";
import { csvFormat, listInput, listOutput } from "@/lib/api/list";
import { MAX_IDENTIFIER } from "@/lib/features/apps/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { unique } from "@/lib/kernel/unique";
import { SCOPES } from "@/lib/permissions/scopes";
import { isTokenIdentifier, latestEnd, MAX_YEARS } from "./rules";

/** The maximum number of identifiers of one token. */
const MAX_TOKEN_IDENTIFIERS = 50;

const named = z.object({ id: idSchema, name: z.string() });

/** A token as lists show it, without the token itself. */
const apiTokenSchema = z.object({
  id: idSchema,
  name: z.string(),
  app: named,
  environment: named,
  /** Android signing SHA-256 (64 lower-case hex digits), iOS bundle IDs, or `server`. */
  identifiers: z.array(z.string()),
  scopes: z.array(z.enum(SCOPES)),
  /** The first characters of the token, by which its owner recognizes it. */
  prefix: z.string(),
  validUntil: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type ApiToken = z.output<typeof apiTokenSchema>;

export const createApiTokenInput = z.strictObject({
  name: nameSchema,
  appId: idSchema,
  environmentId: idSchema,
  identifiers: z
    .array(z.string().trim().max(MAX_IDENTIFIER).refine(isTokenIdentifier, { error: "tokenIdentifierForm" }))
    .max(MAX_TOKEN_IDENTIFIERS)
    .refine((list) => list.length > 0, { error: "apiTokenIdentifiers" }),
  validUntil: z.iso
    .datetime({ offset: true })
    .refine((end) => new Date(end) > new Date(), { error: "inThePast", abort: true })
    .refine((end) => new Date(end) <= latestEnd(new Date()), {
      error: "tooManyYears",
      params: { values: { limit: MAX_YEARS } },
    }),
  /** Default: depends on the kind of token; see create-api-token. */
  scopes: z.array(z.enum(SCOPES)).min(1).transform(unique).optional(),
});

/** A new token with the token itself, which is returned only once. */
export const newApiTokenSchema = apiTokenSchema.extend({ token: z.string() });

export const getApiTokensInput = listInput({
  sorts: ["-createdAt", "name", "app", "environment", "validUntil", "lastUsedAt"],
  filters: { appId: idSchema.optional(), environmentId: idSchema.optional(), ...csvFormat },
});
export const apiTokensOutput = listOutput(apiTokenSchema);

export const deleteApiTokenInput = z.strictObject({ id: idSchema });
