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

/** So much of a token is kept readable: its kind (`slw_`) and 48 of its 256 bits. */
const PREFIX_LENGTH = 12;

/**
 * Makes an API token for one environment and answers it, this once: only its SHA-256 is kept.
 *
 * Its scopes, where none are named, depend on who presents it. A token with the identifier `server` (for servers and
 * CI) gets release:create, release:download, environment:read, dev-variable:read, secure-variable:read and
 * secure-certificate:read. A token for apps alone gets release:read, environment:read, secure-variable:read and
 * secure-certificate:read: it can be read out of an app, and so it changes nothing.
 */
export const createApiToken = defineCommand({
  area: "config",
  name: "create-api-token",
  summary: "Make an API token; it is answered this once",
  access: "admin",
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
    // What is in the list twice, in another spelling perhaps, counts once.
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
