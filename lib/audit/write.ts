import "server-only";
import { validate } from "uuid";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import type { RequestFacts } from "@/lib/http/request-facts";
import { AUDIT_PREFIX, type ConsoleEvent } from "@/lib/kernel/events";
import type { Actor, TokenActor } from "@/lib/permissions/actor";
import { collectEvents, eventRows } from "@/lib/webhooks/outbox";
import { NAMES_FIELD, namedSubject, nameInChanges } from "./names";
import { recordNames } from "./objects";

/** Changed fields: field → [before, after]. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** Fields whose values are redacted in audit records. Only the fact that they changed is recorded. */
const SECRET_FIELDS = /^(password|passwordHash|secret|clientSecret|privateKey|token|value|hash|code|recoveryCode)$/;

const HIDDEN = "•••";

/** PostgreSQL's format of `Date.toISOString`. */
const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

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
 * Returns the fields that differ between two states of a row, without `updatedAt`: the record has its own time.
 * @param before null for a creation
 * @param after null for a deletion
 */
export function changesBetween<T extends object>(before: T | null, after: T | null): Changes {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  names.delete("updatedAt");
  const changes: Changes = {};
  for (const name of names) {
    const old = (before as Record<string, unknown> | null)?.[name] ?? null;
    const now = (after as Record<string, unknown> | null)?.[name] ?? null;
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = [old, now];
  }
  return changes;
}

/**
 * Locks the audit chain until the transaction ends. A transaction that locks a row which `writeAudit` of another one locks
 * too, such as a webhook that it deletes, takes this lock first.
 */
export async function lockAuditChain(tx: Db): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM pg_advisory_xact_lock(hashtext('AuditRecord'))`);
}

/**
 * Appends a record to the audit log with the names of its time, in the transaction of the change, and writes the events of the change for the webhooks
 * that receive them, and the event of the record itself after them. A trigger sets the record's number and hash. Call it
 * last in the transaction, because it holds the lock of the chain until the commit. Therefore, the order of events is the
 * order of the records.
 * @returns how many deliveries of events were written
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
    /** How the object is called, where the record is about more than the one of `recordId`. */
    recordName?: string;
    /** The user, if the call itself started the session. */
    userId?: string;
    /** The application that the change belongs to; null if there is none. */
    appId?: string | null;
    /** The environment that the change belongs to; null if there is none. */
    environmentId?: string | null;
    /** What the change causes. */
    events?: readonly ConsoleEvent[];
  },
): Promise<number> {
  const userId = record.actor.kind === "user" ? record.actor.userId : (record.userId ?? null);
  const tokenId = record.actor.kind === "token" ? record.actor.tokenId : null;
  const { table, recordId, appId = null, environmentId = null } = record;
  const redacted = redact(record.changes);
  const changes = JSON.stringify(redacted);
  const { now } = record.request;
  const subject = namedSubject({ table, recordId, changes: redacted });
  const names = recordNames({
    userId,
    tokenId,
    table,
    subject: validate(subject) ? subject : null,
    name: nameInChanges(table, redacted),
    title: record.recordName ?? null,
    appId,
    environmentId,
  });
  // The events are read after the record is inserted, and with it the lock of the chain is taken.
  const events = sql`
    SELECT given."number", given."type", given."appId", given."at", given."data"
    FROM written CROSS JOIN LATERAL (${eventRows(record.events ?? [], now)}) given
    UNION ALL
    SELECT 1000000, ${AUDIT_PREFIX} || written."action", ${appId}::uuid, written."eventDate",
      jsonb_build_object('id', written."id"::text, 'table', written."table", 'recordId', written."recordId",
        'action', written."action", 'eventDate', to_char(written."eventDate" AT TIME ZONE 'UTC', ${ISO_8601}),
        'userId', written."userId", 'tokenId', written."tokenId", 'ip', written."ip", 'requestId', written."requestId")
    FROM written`;
  const deliveries = await queryRows(
    tx,
    sql`
    WITH written AS (
      INSERT INTO "AuditRecord"
        ("id", "userId", "tokenId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId", "previousHash", "hash")
      SELECT 0, ${userId}::uuid, ${tokenId}::uuid, ${table}, ${recordId}, ${record.action}, ${now}::timestamptz,
        ${changes}::jsonb || CASE WHEN names."names" = '{}' THEN '{}'
          ELSE jsonb_build_object(${NAMES_FIELD}::text, jsonb_build_array(NULL, names."names")) END,
        ${record.request.ip}, ${record.request.requestId}, '', ''
      FROM (${names}) names
      RETURNING "id", "userId", "tokenId", "table", "recordId", "action", "eventDate", "ip", "requestId"
    )
    ${collectEvents(events)}`,
    { prepared: true },
  );
  return deliveries.length;
}
