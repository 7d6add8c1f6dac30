import "server-only";
import { EXPIRY_STEPS, type ExpiryStep, expiryHorizon, expiryStep } from "@slipway/certificates";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { log } from "@/lib/kernel/log";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { emitEvents } from "@/lib/webhooks/outbox";
import type { Job } from "./job";

interface ExpiringRow {
  id: string;
  name: string;
  expirationDate: Date;
  environmentId: string;
  environment: string;
  appId: string;
  app: string;
  /** The latest step that was told for this date. */
  told: number | null;
}

/** The certificates in use that expire within 30 days, the first one first. */
function findExpiring(tx: Db, now: Date): Promise<ExpiringRow[]> {
  return queryRows<ExpiringRow>(
    tx,
    sql`
      SELECT c."id", c."name", c."expirationDate", e."id" AS "environmentId", e."name" AS "environment",
        a."id" AS "appId", a."name" AS "app",
        (SELECT min(n."step") FROM "CertificateExpiryNotice" n
         WHERE n."certificateId" = c."id" AND n."expirationDate" = c."expirationDate") AS "told"
      FROM "SecureCertificate" c
      JOIN "Environment" e ON e."id" = c."environmentId"
      JOIN "App" a ON a."id" = e."appId"
      WHERE c."expirationDate" > ${now}::timestamptz AND c."expirationDate" < ${expiryHorizon(now)}::timestamptz
        AND c."status" = 'active' AND e."status" = 'active' AND a."status" = 'active'
      ORDER BY c."expirationDate", c."id"`,
  );
}

function expiringEvent(row: ExpiringRow, days: ExpiryStep): ConsoleEvent {
  const { id, name, appId, environmentId, expirationDate } = row;
  const data = {
    app: { id: appId, name: row.app },
    environment: { id: environmentId, name: row.environment },
    certificate: { id, name },
    expirationDate: expirationDate.toISOString(),
    days,
    url: `${env.APP_URL}${contextPath(PAGES.adminSecureCertificates, appId, environmentId)}`,
  };
  return { type: "certificate.expiring", appId, data };
}

/** @returns the ids of those that nobody else recorded */
async function recordNotices(tx: Db, rows: readonly ExpiringRow[], step: ExpiryStep, now: Date): Promise<Set<string>> {
  const recorded = await queryRows<{ certificateId: string }>(
    tx,
    sql`
      INSERT INTO "CertificateExpiryNotice" ("certificateId", "expirationDate", "step", "at")
      SELECT c."id", c."expirationDate", ${step}::int, ${now}::timestamptz FROM "SecureCertificate" c
      WHERE c."id" = ANY(${rows.map(({ id }) => id)}::uuid[])
      ON CONFLICT DO NOTHING RETURNING "certificateId"`,
  );
  return new Set(recorded.map(({ certificateId }) => certificateId));
}

/**
 * Emits an event of each certificate for each step (30, 7, 1 days, today) that it has reached. A step of a date is told once; a
 * certificate that is new within a step is told from that step on.
 * @returns how many certificates were told
 */
export async function emitExpiringCertificates(tx: Db, now: Date): Promise<number> {
  const expiring = await findExpiring(tx, now);
  let told = 0;
  for (const step of EXPIRY_STEPS) {
    const reached = expiring.filter(
      (row) => expiryStep(row.expirationDate, now) === step && (row.told === null || row.told > step),
    );
    if (reached.length === 0) continue;
    const recorded = await recordNotices(tx, reached, step, now);
    const added = reached.filter(({ id }) => recorded.has(id));
    const events = added.map((row) => expiringEvent(row, step));
    await emitEvents(tx, events, now);
    told += added.length;
  }
  return told;
}

/** Emits events of certificates that expire soon, every hour. */
export const certificateExpiryJob: Job = {
  queue: "certificate-expiry",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: 600 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "5 * * * *",
  async run() {
    const certificates = await db.$transaction((tx) => emitExpiringCertificates(tx, new Date()));
    if (certificates > 0) log.info({ certificates }, "events tell of certificates that expire soon");
    return "done";
  },
};
