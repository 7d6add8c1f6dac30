import "server-only";
import { z } from "zod";
import { defineQuery } from "@/lib/api/operation";
import { readChainState } from "@/lib/audit/verification-state";
import { readBackupState } from "@/lib/backup/state";
import { type JobFailures, listFailedJobs, recentJobFailures } from "@/lib/jobs/failures";
import { mailJob } from "@/lib/jobs/mail";
import { readQueues } from "@/lib/jobs/state";
import { env } from "@/lib/kernel/env";
import { thisInstance, VERSION } from "@/lib/kernel/instance";
import { scrubText } from "@/lib/kernel/reporting/scrub";
import { INSTANCE_TIMEOUT_MS, readInstances } from "@/lib/monitoring/instances";
import {
  checkDatabase,
  checkStore,
  databaseVersion,
  type Response,
  readDisk,
  readPool,
  readShared,
  readStoreSpace,
} from "@/lib/monitoring/state";
import { storage } from "@/lib/storage";
import { isNearlyFull } from "@/lib/storage/nearly-full";
import {
  auditFinding,
  backupFinding,
  certificatesFinding,
  databaseFinding,
  found,
  instancesFinding,
  jobsFinding,
  mailFinding,
  storeFinding,
  worst,
} from "../rules";
import { CHECKS, healthSchema } from "../schema";

/** Number of failed jobs that are listed. */
const SHOWN_FAILURES = 20;

function milliseconds({ seconds }: Response): number | null {
  return seconds === null ? null : Math.round(seconds * 1000);
}

const isoOrNull = (instant: Date | null) => instant?.toISOString() ?? null;

function failuresOf(failures: readonly JobFailures[], isWanted: (queue: string) => boolean): number {
  return failures.filter(({ queue }) => isWanted(queue)).reduce((sum, { count }) => sum + count, 0);
}

/** The state of what the console runs on, with what is wrong. */
export const getHealth = defineQuery({
  area: "config",
  name: "get-health",
  summary: "Get the state of the database, the store, mail, jobs, the audit log and the instances",
  access: "admin",
  input: z.strictObject({}),
  output: healthSchema,
  errors: [],
  async handler({ db, request }) {
    const { now } = request;
    const isMail = (queue: string) => queue === mailJob.queue;
    const [databaseResponse, storeResponse, freeBytes, space] = await Promise.all([
      checkDatabase(),
      checkStore(),
      readStoreSpace(),
      readDisk(),
    ]);
    // One after the other, so that one page does not take many of the database's connections.
    const version = await databaseVersion(db);
    const shared = await readShared(db, now, new Date(now.getTime() - INSTANCE_TIMEOUT_MS));
    const allQueues = await readQueues(db);
    const recent = await recentJobFailures(db, now);
    const failed = await listFailedJobs(db, SHOWN_FAILURES);
    const chain = await readChainState(db, now);
    const seen = await readInstances(db);
    const backup = await readBackupState(db);

    const database = { responseMs: milliseconds(databaseResponse), version, pool: readPool() };
    const store = {
      kind: storage().name,
      responseMs: milliseconds(storeResponse),
      usedBytes: shared.usedBytes,
      freeBytes,
      uploads: shared.uploads,
      lostFiles: shared.lostFiles,
      sweptAt: isoOrNull(shared.sweptAt),
    };
    const isStoreFull = freeBytes !== null && isNearlyFull({ usedBytes: shared.usedBytes, freeBytes });
    const isDiskFull =
      space !== null && isNearlyFull({ usedBytes: space.totalBytes - space.freeBytes, freeBytes: space.freeBytes });
    const mails = allQueues.find(({ queue }) => isMail(queue));
    const mail = {
      configured: env.SMTP_URL !== undefined,
      waiting: mails?.waiting ?? 0,
      oldestAt: mails?.oldestAt ?? null,
      failed: failuresOf(recent, isMail),
    };
    const queues = allQueues.filter(({ queue }) => !isMail(queue));
    const jobsFailed = failuresOf(recent, (queue) => !isMail(queue));
    const { verified } = chain;
    const instances = seen.map(({ id, name, version, startedAt, seenAt }) => ({
      id,
      name,
      version,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      running: now.getTime() - seenAt.getTime() < INSTANCE_TIMEOUT_MS,
      current: id === thisInstance().id,
    }));
    const health = {
      checkedAt: now.toISOString(),
      version: VERSION,
      database: { ...found("database", databaseFinding(database)), ...database },
      store: {
        ...found("store", storeFinding({ ...store, isNearlyFull: isStoreFull })),
        ...store,
      },
      disk: {
        ...found("disk", space === null ? "unknown" : isDiskFull ? "nearly_full" : "ok"),
        freeBytes: space?.freeBytes ?? null,
        totalBytes: space?.totalBytes ?? null,
      },
      mail: { ...found("mail", mailFinding(mail, now)), ...mail, oldestAt: isoOrNull(mail.oldestAt) },
      jobs: {
        ...found("jobs", jobsFinding({ queues, failed: jobsFailed }, now)),
        queues: allQueues.map(({ queue, waiting, oldestAt, active }) => ({
          queue,
          waiting,
          oldestAt: isoOrNull(oldestAt),
          active,
        })),
        failures: failed.map(({ id, queue, reason, failedAt }) => ({
          id,
          queue,
          reason: scrubText(reason),
          failedAt: failedAt.toISOString(),
        })),
      },
      audit: {
        ...found("audit", auditFinding({ records: shared.auditRecords, faults: chain.faults.length, verified }, now)),
        records: shared.auditRecords,
        verified: verified && { records: verified.records, at: verified.at.toISOString() },
      },
      certificates: {
        ...found("certificates", certificatesFinding(shared.certificates)),
        ...shared.certificates,
        nextAt: isoOrNull(shared.certificates.nextAt),
      },
      backup: {
        ...found("backup", backupFinding(backup, now)),
        succeededAt: isoOrNull(backup.succeededAt),
        objects: Number(backup.objects),
        bytes: Number(backup.objectBytes),
        failedAt: isoOrNull(backup.failedAt),
        failure: backup.failure === null ? null : scrubText(backup.failure),
      },
      instances: { ...found("instances", instancesFinding(instances)), items: instances },
    };
    return { severity: worst(CHECKS.map((check) => health[check].severity)), ...health };
  },
});
