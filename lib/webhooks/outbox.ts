import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, type Sql, sql } from "@/lib/db/query";
import { type ConsoleEvent, EVENT_DATA } from "@/lib/kernel/events";

/** The lane of events that belong to no application. */
export const NO_APP = "00000000-0000-0000-0000-000000000000";

/**
 * The statement that writes events for the webhooks that receive them. It inserts nothing for an event that no webhook
 * receives, and evaluates `data` only for one that a webhook does.
 * @param events a query with the columns "number" (the order), "type", "appId", "at" and "data"
 */
export function collectEvents(events: Sql): Sql {
  return sql`
    INSERT INTO "WebhookDelivery" ("webhookId", "lane", "type", "at", "data", "nextAt")
    SELECT w."id", coalesce(e."appId", ${NO_APP}::uuid), e."type", e."at", e."data", e."at"
    FROM (${events}) e
    JOIN "Webhook" w ON w."status" = 'active' AND e."type" = ANY(w."events")
      AND (w."allApps" OR e."appId" = ANY(w."appIds"))
    ORDER BY e."number", w."id"
    -- A webhook that was deleted since the statement began is left out.
    FOR KEY SHARE OF w
    RETURNING 1`;
}

/**
 * Events as rows with the columns that `collectEvents` takes.
 * @throws ZodError if the data of one does not fit its type
 */
export function eventRows(events: readonly ConsoleEvent[], at: Date): Sql {
  const rows = events.map(({ type, appId, data }) => ({ type, appId, data: EVENT_DATA[type].parse(data) }));
  return sql`
    SELECT given."number", given."event"->>'type' AS "type", (given."event"->>'appId')::uuid AS "appId",
      ${at}::timestamptz AS "at", given."event"->'data' AS "data"
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS given("event", "number")`;
}

/**
 * Emits events of a change that writes no audit record, in its transaction: they are delivered if it commits, and only then.
 * A command returns its events beside its audit record instead.
 * @returns how many deliveries they cause
 * @throws ZodError if the data of an event does not fit its type
 */
export async function emitEvents(tx: Db, events: readonly ConsoleEvent[], at: Date): Promise<number> {
  if (events.length === 0) return 0;
  const rows = await queryRows(tx, collectEvents(eventRows(events, at)), { prepared: true });
  return rows.length;
}
