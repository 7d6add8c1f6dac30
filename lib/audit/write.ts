import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { Actor, TokenActor } from "@/lib/permissions/actor";

/** Changed fields: field → [before, after]. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** Fields whose values are redacted in audit records. Only the fact that they changed is recorded. */
const SECRET_FIELDS = /^(password|passwordHash|secret|clientSecret|privateKey|token|value|hash|code|recoveryCode)$/;

const HIDDEN = "•••";

/** Whether the values of a field are redacted in audit records. */
export function isRedacted(field: string): boolean {
  return SECRET_FIELDS.test(field);
}

/** Replaces the values of secret fields. */
export function redact(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, [before, after]]) => [
      field,
      isRedacted(field)
        ? [before === null ? null : HIDDEN, after === null ? null : HIDDEN]
        : [before ?? null, after ?? null],
    ]),
  );
}

/**
 * Returns the fields that differ between two states of a row.
 * @param before null for a creation
 * @param after null for a deletion
 */
export function changesBetween<T extends object>(before: T | null, after: T | null): Changes {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changes: Changes = {};
  for (const name of names) {
    const old = (before as Record<string, unknown> | null)?.[name] ?? null;
    const now = (after as Record<string, unknown> | null)?.[name] ?? null;
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [old, now];
  }
  return changes;
}

/**
 * Appends a record to the audit log, in the transaction of the change. A trigger sets its number and hash. Call it last in the
 * transaction, because it holds the lock of the chain until the commit.
 */
export async function writeAudit(
  tx: Db,
  record: {
    actor: Actor | Pick<TokenActor, "kind" | "tokenId">;
    request: Pick<RequestFacts, "requestId" | "ip" | "now">;
    table: string;
    action: string;
    recordId: string | null;
    changes: Changes;
    /** The user, if the call itself started the session. */
    userId?: string;
  },
): Promise<void> {
  const userId = record.actor.kind === "user" ? record.actor.userId : (record.userId ?? null);
  const tokenId = record.actor.kind === "token" ? record.actor.tokenId : null;
  const changes = JSON.stringify(redact(record.changes));
  await queryRows(
    tx,
    sql`
    INSERT INTO "AuditRecord"
      ("id", "userId", "tokenId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId", "previousHash", "hash")
    VALUES
      (0, ${userId}::uuid, ${tokenId}::uuid, ${record.table}, ${record.recordId}, ${record.action}, ${record.request.now},
       ${changes}::jsonb, ${record.request.ip}, ${record.request.requestId}, '', '')`,
    { prepared: true },
  );
}
