import "server-only";
import type { Db } from "@/lib/db/client";
import type { AuditVerification as Run } from "@/lib/db/generated/client";
import { queryRows, sql } from "@/lib/db/query";
import type { AuditFault, AuditHead, AuditVerification } from "./chain";

/** What a run verifies: the records since the latest checkpoint, or all. */
export type RunKind = "new" | "all";

/** A run without progress for this long has ended with its server. */
export const STALLED_MS = 120_000;

/** What is known of the chain. */
interface ChainState {
  /** The last record; null if the log is empty. */
  head: AuditHead | null;
  /** The last record that a verification found intact, together with all before it; null as long as there are faults. */
  verified: { records: number; at: Date } | null;
  /** The latest verification of all records. */
  complete: { records: number; at: Date } | null;
  /** The run that is requested or in progress. */
  running: { kind: RunKind; records: number; total: number } | null;
  /** What the latest verification found wrong. */
  faults: AuditFault[];
  moreFaults: boolean;
}

/** The last record of the log; null if it is empty. */
export async function lastRecord(db: Db): Promise<AuditHead | null> {
  const [head] = await queryRows<AuditHead>(
    db,
    sql`SELECT r."id"::text, r."hash" FROM "AuditRecord" r ORDER BY r."id" DESC LIMIT 1`,
  );
  return head ?? null;
}

function isRunning({ runAt, progressAt }: Run, now: Date): boolean {
  return runAt !== null && progressAt !== null && now.getTime() - progressAt.getTime() < STALLED_MS;
}

/** Reads what is known of the chain. */
export async function readChainState(db: Db, now: Date): Promise<ChainState> {
  const [head, runs] = await Promise.all([lastRecord(db), db.auditVerification.findMany()]);
  const of = (kind: RunKind) => runs.find((run) => run.kind === kind);
  const found = (run: Run | undefined) => (run?.faults ?? []) as unknown as AuditFault[];
  const finished = (run: Run | undefined) =>
    run?.finishedAt && found(run).length === 0 ? { records: Number(run.verifiedTo), at: run.finishedAt } : null;
  const [recent, all] = [of("new"), of("all")];
  const clean = [finished(recent), finished(all)].filter((run) => run !== null);
  const running = [all, recent].find((run) => run !== undefined && isRunning(run, now));
  const faulty = found(all).length > 0 ? all : recent;
  const faults = found(faulty);
  return {
    head,
    verified: faults.length > 0 ? null : (clean.sort((one, other) => other.at.getTime() - one.at.getTime())[0] ?? null),
    complete: finished(all),
    running: running
      ? { kind: running.kind as RunKind, records: Number(running.records), total: Number(running.total) }
      : null,
    faults,
    moreFaults: faulty?.moreFaults ?? false,
  };
}

/** What the latest verification found wrong, as an SQL value: faults that a run of all records found are before others. */
export const KNOWN_FAULTS = sql`(SELECT v."faults" FROM "AuditVerification" v
  WHERE jsonb_array_length(v."faults") > 0 ORDER BY v."kind" LIMIT 1)`;

/** Records that a run is requested or begins. @param total the number of records that it will read */
export async function beginRun(db: Db, kind: RunKind, { total, now }: { total: number; now: Date }): Promise<void> {
  const run = { runAt: now, progressAt: now, records: 0, total };
  await db.auditVerification.upsert({ where: { kind }, create: { kind, ...run }, update: run });
}

/** Records how many records a run has read. */
export async function noteProgress(db: Db, kind: RunKind, { records, now }: { records: number; now: Date }) {
  await db.auditVerification.update({ where: { kind }, data: { records, progressAt: now } });
}

/** Records what a run found. A run of all records without a fault also ends what earlier runs of new records have found. */
export async function finishRun(
  db: Db,
  kind: RunKind,
  { faults, more, head }: Pick<AuditVerification, "faults" | "more" | "head">,
  now: Date,
): Promise<void> {
  const data = {
    runAt: null,
    progressAt: null,
    finishedAt: now,
    verifiedTo: BigInt(head?.id ?? 0),
    faults: faults as object[],
    moreFaults: more,
  };
  if (kind === "all" && faults.length === 0) {
    const { runAt } = await db.auditVerification.findUniqueOrThrow({ where: { kind } });
    // A run that ended since this one began may have read records that were written after those of this one.
    const earlier = { kind: "new", finishedAt: { lte: runAt ?? now } };
    await db.auditVerification.updateMany({ where: earlier, data: { faults: [], moreFaults: false } });
  }
  await db.auditVerification.update({ where: { kind }, data });
}

/** Records that a run ended without a result. */
export async function abandonRun(db: Db, kind: RunKind): Promise<void> {
  await db.auditVerification.update({ where: { kind }, data: { runAt: null, progressAt: null } });
}
