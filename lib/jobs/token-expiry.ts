import "server-only";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { log } from "@/lib/kernel/log";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { DAY_MS } from "@/lib/kernel/time";
import { emitEvents } from "@/lib/webhooks/outbox";
import type { Job } from "./job";

/**
 * How many days before its end an event reports a token. A token that is valid for no longer than a step is left out at
 * that step.
 */
const STEPS = [7, 1, 0] as const;

interface ExpiringRow {
  id: string;
  name: string;
  validUntil: Date;
  appId: string;
  app: string;
  environmentId: string;
  environment: string;
}

/**
 * Records a step for the API tokens that have reached it, and returns them. Tokens with a record of this step or a
 * later one are left out.
 * @param step days before the end; 0 stands for 12 hours
 */
function recordExpiring(tx: Db, step: number, now: Date): Promise<ExpiringRow[]> {
  const end = new Date(now.getTime() + Math.max(step, 0.5) * DAY_MS);
  return queryRows<ExpiringRow>(
    tx,
    sql`
      WITH recorded AS (
        INSERT INTO "TokenExpiryNotice" ("tokenId", "step", "at")
        SELECT t."id", ${step}::int, ${now}::timestamptz FROM "ApiToken" t
        WHERE t."validUntil" > ${now}::timestamptz AND t."validUntil" <= ${end}::timestamptz AND t."revokedAt" IS NULL
          AND t."validUntil" - t."createdAt" > ${step}::int * interval '1 day'
          AND NOT EXISTS (SELECT 1 FROM "TokenExpiryNotice" n WHERE n."tokenId" = t."id" AND n."step" <= ${step}::int)
        ON CONFLICT DO NOTHING RETURNING "tokenId"
      )
      SELECT t."id", t."name", t."validUntil", a."id" AS "appId", a."name" AS "app",
        e."id" AS "environmentId", e."name" AS "environment"
      FROM recorded JOIN "ApiToken" t ON t."id" = recorded."tokenId"
      JOIN "Environment" e ON e."id" = t."environmentId" JOIN "App" a ON a."id" = t."appId"
      ORDER BY t."validUntil", t."id"`,
  );
}

function expiringEvent(row: ExpiringRow, days: number): ConsoleEvent {
  const { id, name, validUntil, appId, environmentId } = row;
  const data = {
    app: { id: appId, name: row.app },
    environment: { id: environmentId, name: row.environment },
    token: { id, name },
    validUntil: validUntil.toISOString(),
    days,
    url: `${env.APP_URL}${contextPath(PAGES.adminEnvironment, appId, environmentId)}`,
  };
  return { type: "token.expiring", appId, data };
}

/**
 * Emits an event of each API token that ends within 7 days, within one day, and within 12 hours (`days` 0).
 * @returns the number of events
 */
export async function emitExpiringTokens(tx: Db, now: Date): Promise<number> {
  let emitted = 0;
  // The latest step first: a token that has reached several is reported once.
  for (const step of STEPS.toReversed()) {
    const rows = await recordExpiring(tx, step, now);
    await emitEvents(
      tx,
      rows.map((row) => expiringEvent(row, step)),
      now,
    );
    emitted += rows.length;
  }
  return emitted;
}

/** Emits events of API tokens that end soon, every hour. */
export const tokenExpiryJob: Job = {
  queue: "token-expiry",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: 600 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "10 * * * *",
  async run() {
    const tokens = await db.$transaction((tx) => emitExpiringTokens(tx, new Date()));
    if (tokens > 0) log.info({ tokens }, "events tell of API tokens that end soon");
    return "done";
  },
};
