import "server-only";
import { type AuditVerification, firstWrongRecord } from "@/lib/audit/chain";
import {
  abandonRun,
  beginRun,
  finishRun,
  lastRecord,
  noteProgress,
  type RunKind,
  readChainState,
} from "@/lib/audit/verification-state";
import { verifyAudit } from "@/lib/audit/verify";
import { storeCheckpoint, storedCheckpoints } from "@/lib/auth/audit-checkpoints";
import { databasePool, db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import type { Job } from "./job";
import { requestMailToAdministrators } from "./mail";

/** How often the progress of a run is written to the database. */
const PROGRESS_INTERVAL_MS = 500;

/** Verifies the records since the latest checkpoint, or all of them against all checkpoints. */
async function verify(kind: RunKind, signal: AbortSignal | undefined): Promise<AuditVerification> {
  const { heads, faults } = await storedCheckpoints(db, { latest: kind === "new" });
  const from = kind === "new" ? heads.at(-1) : undefined;
  const last = await lastRecord(db);
  const total = Number(last?.id ?? 0) - (from ? Number(from.id) - 1 : 0);
  await beginRun(db, kind, { total: Math.max(0, total), now: new Date() });
  let writtenAt = performance.now();
  try {
    const result = await verifyAudit(databasePool(), heads, {
      from,
      signal,
      async onProgress(records) {
        if (performance.now() - writtenAt < PROGRESS_INTERVAL_MS) return;
        writtenAt = performance.now();
        await noteProgress(db, kind, { records, now: new Date() });
      },
    });
    return { ...result, faults: [...faults, ...result.faults] };
  } catch (error) {
    await abandonRun(db, kind);
    throw error;
  }
}

/** Verifies and records the result. A head without faults becomes a checkpoint. */
async function verifyAndRecord(kind: RunKind, signal: AbortSignal | undefined): Promise<AuditVerification> {
  const result = await verify(kind, signal);
  const now = new Date();
  await finishRun(db, kind, result, now);
  // The faults of an earlier verification may be before the records that this one read.
  const { verified } = await readChainState(db, now);
  if (verified && result.head) await storeCheckpoint(db, result.head, now);
  return result;
}

/**
 * Verifies the audit log and records the result. If the records since the latest checkpoint have a fault, all are verified,
 * so that the first wrong record is found. The administrators get a mail about the first verification that finds a fault.
 */
export async function runAuditVerification(kind: RunKind, signal?: AbortSignal): Promise<AuditVerification> {
  const before = await readChainState(db, new Date());
  const recent = await verifyAndRecord(kind, signal);
  const result = kind === "new" && recent.faults.length > 0 ? await verifyAndRecord("all", signal) : recent;
  const firstRecord = firstWrongRecord(result.faults);
  if (firstRecord === null) return result;
  log.error({ firstRecord, faults: result.faults.length }, "the audit log was changed");
  if (before.faults.length === 0) {
    const at = new Date().toISOString();
    await db.$transaction((tx) => requestMailToAdministrators(tx, { purpose: "audit-broken", firstRecord, at }));
  }
  return result;
}

/** Verifies the records since the latest checkpoint, every hour. */
export const newRecordsJob: Job = {
  queue: "audit-verification-new",
  // `exclusive`: one run waits or runs, over all instances.
  options: { policy: "exclusive", retryLimit: 0, expireInSeconds: 1_800 },
  work: { pollingIntervalSeconds: 30 },
  schedule: "25 * * * *",
  async run(_data, { signal }) {
    await runAuditVerification("new", signal);
    return "done";
  },
};

/** Verifies all records, every week and on request. */
export const allRecordsJob: Job = {
  queue: "audit-verification-all",
  options: { policy: "exclusive", notify: true, retryLimit: 0, expireInSeconds: 1_800 },
  // A database notification wakes the worker at once.
  work: { pollingIntervalSeconds: 30 },
  schedule: "40 3 * * 0",
  async run(_data, { signal }) {
    await runAuditVerification("all", signal);
    return "done";
  },
};
