import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { firstWrongRecord } from "@/lib/audit/chain";
import { listExpiring } from "@/lib/expiry/expiring";
import { readNewestReleases } from "@/lib/features/releases/data/latest";
import { recentJobFailures } from "@/lib/jobs/failures";
import { env } from "@/lib/kernel/env";
import { isLoopback } from "@/lib/kernel/navigation/loopback";
import { DAY_MS } from "@/lib/kernel/time";
import { storage } from "@/lib/storage";
import { isNearlyFull } from "@/lib/storage/nearly-full";
import { storeState } from "@/lib/storage/store-state";
import { flushVisits } from "@/lib/visits/record";
import { readActivity, readNumbers, readRecentApps } from "../data";
import { ATTENTION_DAYS, ATTENTION_KINDS, byUrgency, expiringAttention } from "../rules";
import { ACTIVITY_DAYS, type Attention, dashboardSchema, getDashboardInput } from "../schema";

/** Number of releases that are shown. */
const SHOWN_RELEASES = 8;

/** What an administrator looks for first: what needs attention, the newest releases, and the activity of 30 days in UTC. */
export const getDashboard = defineQuery({
  area: "config",
  name: "get-dashboard",
  summary: "Get what needs attention, the recent releases and the activity of the last 30 days",
  access: "admin",
  input: getDashboardInput,
  output: dashboardSchema,
  errors: [],
  async handler({ input, db, request }) {
    const { now } = request;
    const { days, ...filter } = input;
    const since = days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS);
    // What this instance has not written yet belongs to the answer.
    await flushVisits();
    // Two at a time, so that one page does not take many of the database's connections.
    const [[activity, releases, apps], [numbers, expiring, failures], store] = await Promise.all([
      inTurn([
        () => readActivity(db, null, { days: ACTIVITY_DAYS, now }),
        () => readNewestReleases(db, SHOWN_RELEASES, { ...filter, since }),
        () => readRecentApps(db, now),
      ]),
      inTurn([
        () => readNumbers(db),
        () => listExpiring(db, "console", { within: ATTENTION_DAYS, kinds: ATTENTION_KINDS, now }),
        () => recentJobFailures(db, now),
      ]),
      storeState(storage()),
    ]);
    const { counts, usedBytes, invitations, auditFaults } = numbers;
    const firstRecord = firstWrongRecord(auditFaults);
    const { freeBytes } = store;
    const attention: Attention[] = [
      ...(firstRecord === null ? [] : [{ kind: "audit" as const, firstRecord: Number(firstRecord) }]),
      ...(store.responds ? [] : [{ kind: "store" as const }]),
      ...(freeBytes !== null && isNearlyFull({ usedBytes, freeBytes })
        ? [{ kind: "storage" as const, freeBytes }]
        : []),
      ...failures.map(({ queue, count, lastAt }) => ({
        kind: "jobs" as const,
        queue,
        count,
        lastAt: lastAt.toISOString(),
      })),
      ...expiring.items.flatMap(expiringAttention),
      ...(isLoopback(env.APP_URL) ? [{ kind: "address" as const, host: new URL(env.APP_URL).host }] : []),
      ...(env.SMTP_URL === undefined ? [{ kind: "mail" as const }] : []),
      ...(invitations > 0 ? [{ kind: "invitations" as const, count: invitations }] : []),
    ];
    return {
      attention: byUrgency(attention, now),
      releases,
      apps,
      activity,
      storage: { usedBytes, freeBytes },
      counts,
    };
  },
});

/** Runs steps one after the other. */
async function inTurn<const Steps extends readonly (() => Promise<unknown>)[]>(
  steps: Steps,
): Promise<{ -readonly [Index in keyof Steps]: Awaited<ReturnType<Steps[Index]>> }> {
  const results: unknown[] = [];
  for (const step of steps) results.push(await step());
  return results as { -readonly [Index in keyof Steps]: Awaited<ReturnType<Steps[Index]>> };
}
