import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { normalizeIdentifier } from "@/lib/auth/actor";
import { findApp } from "@/lib/features/apps/data";
import { environmentTarget } from "@/lib/features/environments/data";
import { hashToken, newApiToken } from "@/lib/kernel/crypto/tokens";
import { invalidField } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { createApiToken as insert, toApiToken } from "../data";
import { defaultScopes } from "../rules";
import { createApiTokenInput, newApiTokenSchema } from "../schema";

/** Length of a token's stored prefix, in characters: its kind (`slw_`) and 48 of its 256 bits. */
const PREFIX_LENGTH = 12;

/**
 * Creates an API token for one environment and returns it, only once: the server stores its SHA-256.
 *
 * If no scopes are given, they depend on the identifiers. A token with the identifier `server` (for servers and
 * CI) gets release:create, release:download, environment:read and dev-variable:read. A token for apps alone gets release:read,
 * environment:read, secure-variable:read and secure-certificate:read: it can be extracted from an app, so it changes nothing.
 */
export const createApiToken = defineCommand({
  area: "config",
  name: "create-api-token",
  summary: "Create an API token; the token is returned only this once",
  access: "admin",
  secondFactor: "recentIfEnrolled",
  input: createApiTokenInput,
  output: newApiTokenSchema,
  status: 201,
  errors: [],
  audit: { table: "ApiToken", action: "create" },
  maxJsonBytes: 128 * 1024,
  async handler({ actor, input, tx }) {
    if ((await findApp(tx, input.appId)) === null) throw invalidField("appId", "unknown");
    const place = await environmentTarget(tx, input.environmentId);
    if (place?.appId !== input.appId) throw invalidField("environmentId", "unknown");

    const token = newApiToken();
    // Duplicates are removed, also those in another spelling.
    const identifiers = [...new Set(input.identifiers.map(normalizeIdentifier))];
    const facts = {
      name: input.name,
      appId: input.appId,
      environmentId: input.environmentId,
      identifiers,
      scopes: input.scopes ?? defaultScopes(identifiers),
      prefix: token.slice(0, PREFIX_LENGTH),
      validUntil: new Date(input.validUntil),
    };
    const created = await insert(tx, {
      ...facts,
      id: newId(),
      hash: hashToken(token),
      createdBy: actor.userId,
    });
    return {
      output: { ...toApiToken(created), token },
      audit: { recordId: created.id, changes: changesBetween(null, facts) },
    };
  },
});
