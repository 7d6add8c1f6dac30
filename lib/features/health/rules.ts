import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/kernel/time";
import { type Check, FINDINGS, type Finding, SEVERITIES, type Severity } from "./schema";

/** An answer that takes longer is slow, in milliseconds. */
const SLOW_MS = 500;
/** A job that waits longer is late. A mail is retried after half an hour at most, and others run within 30 seconds. */
const LATE_MS = 10 * MINUTE_MS;
/** The records since the latest verification are verified every hour. */
const STALE_VERIFICATION_MS = 3 * HOUR_MS;

/** Backups are made every day. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** A finding with its severity. */
export function found<C extends Check>(check: C, finding: Finding<C>): { severity: Severity; finding: Finding<C> } {
  return { severity: FINDINGS[check][finding] as Severity, finding };
}

/** The worst of some severities. */
export function worst(severities: readonly Severity[]): Severity {
  return SEVERITIES.findLast((severity) => severities.includes(severity)) ?? "ok";
}

export function databaseFinding(state: { responseMs: number | null; pool: { waiting: number } }): Finding<"database"> {
  if (state.responseMs === null) return "silent";
  if (state.pool.waiting > 0) return "busy";
  return state.responseMs > SLOW_MS ? "slow" : "ok";
}

export function storeFinding(state: {
  responseMs: number | null;
  lostFiles: number;
  isNearlyFull: boolean;
}): Finding<"store"> {
  if (state.responseMs === null) return "silent";
  if (state.lostFiles > 0) return "lost_files";
  if (state.isNearlyFull) return "nearly_full";
  return state.responseMs > SLOW_MS ? "slow" : "ok";
}

/** Whether a job was created so long ago that it should have run. */
function isLate(oldestAt: Date | null, now: Date): boolean {
  return oldestAt !== null && now.getTime() - oldestAt.getTime() > LATE_MS;
}

export function mailFinding(
  state: { configured: boolean; oldestAt: Date | null; failed: number },
  now: Date,
): Finding<"mail"> {
  if (isLate(state.oldestAt, now)) return "delayed";
  if (state.failed > 0) return "failed";
  return state.configured ? "ok" : "not_configured";
}

/** @param queues those of other jobs than mails */
export function jobsFinding(
  state: { queues: readonly { oldestAt: Date | null }[]; failed: number },
  now: Date,
): Finding<"jobs"> {
  if (state.queues.length === 0) return "missing";
  if (state.queues.some(({ oldestAt }) => isLate(oldestAt, now))) return "delayed";
  return state.failed > 0 ? "failed" : "ok";
}

export function auditFinding(
  state: { records: number; faults: number; verified: { at: Date } | null },
  now: Date,
): Finding<"audit"> {
  if (state.faults > 0) return "changed";
  if (state.records === 0) return "ok";
  if (state.verified === null) return "unverified";
  return now.getTime() - state.verified.at.getTime() > STALE_VERIFICATION_MS ? "stale" : "ok";
}

export function certificatesFinding(state: { expired: number; expiring: number }): Finding<"certificates"> {
  if (state.expired > 0) return "expired";
  return state.expiring > 0 ? "expiring" : "ok";
}

export function backupFinding(
  state: { succeededAt: Date | null; failedAt: Date | null; lostFiles: number },
  now: Date,
): Finding<"backup"> {
  if (state.failedAt !== null) return "failed";
  if (state.succeededAt === null) return "never";
  if (now.getTime() - state.succeededAt.getTime() > OLD_BACKUP_MS) return "old";
  return state.lostFiles > 0 ? "lost_files" : "ok";
}

export function instancesFinding(instances: readonly { running: boolean; version: string }[]): Finding<"instances"> {
  if (instances.some(({ running }) => !running)) return "silent";
  return new Set(instances.map(({ version }) => version)).size > 1 ? "versions" : "ok";
}
