import "server-only";
import { settleReveals } from "@/lib/audit/reveals";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { log } from "@/lib/kernel/log";
import { DAY_MS, MINUTE_MS } from "@/lib/kernel/time";
import { sweepOutbox } from "@/lib/mail/outbox";
import type { StorageDriver } from "@/lib/storage/driver";
import { isRemovalPaused } from "@/lib/storage/removal";
import { forgetVisits } from "@/lib/visits/data";

/** A pending file that is older than this is considered abandoned. */
export const SWEEP_GRACE_MS = DAY_MS;

/** How long a mail stays in the outbox of a console without a mail server. Its link expires earlier. */
const OUTBOX_RETENTION_MS = 30 * DAY_MS;

/** How long visits of people without an account are kept after their last step. Their tokens are valid for hours. */
const VISIT_RETENTION_MS = 30 * DAY_MS;

/** The maximum difference between the clocks of the store and the database. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** How many of the files that the store has lost are named in the log. */
const NAMED_LOST_FILES = 100;

/** The number of rows or keys that are read at a time. */
const BATCH = 500;

/** The numbers of items that a sweep removed, and the lost files that it found. */
interface SweepResult {
  /** Expired uploads. */
  uploads: number;
  /** Uploads of App Center's client that became no release within the grace period. */
  appCenterUploads: number;
  /** Files that nothing refers to. */
  files: number;
  /** Unfinished puts and multipart uploads in the store. */
  unfinished: number;
  /** Objects of the store without a row. */
  objects: number;
  /** One-time tokens that expired more than the grace period ago. */
  tokens: number;
  /** Sessions that expired more than the grace period ago. */
  sessions: number;
  /** Expired rate limit counters. */
  counters: number;
  /** Windows in which reads of secrets were counted, after they had ended. */
  reveals: number;
  /** Mails in this instance's outbox that are older than 30 days. */
  mails: number;
  /** Visits of people without an account that did not go on for 30 days. */
  visits: number;
  /** The IDs of files in use whose objects are missing. They can only be restored from a backup. */
  lost: string[];
}

interface Sweep {
  db: Db;
  storage: StorageDriver;
  now: Date;
  /** Unused items that are older than this are removed. */
  before: Date;
  signal: AbortSignal | undefined;
}

/** Processes rows in the order of their IDs, so that a row that remains is not read again. */
async function eachRow<R extends { id: string }>(
  { signal }: Sweep,
  find: (after: { id: { gt: string } } | object) => Promise<R[]>,
  work: (row: R) => Promise<void>,
): Promise<void> {
  for (let last: string | undefined; ; ) {
    const rows = await find(last === undefined ? {} : { id: { gt: last } });
    if (rows.length === 0) return;
    for (const row of rows) {
      signal?.throwIfAborted();
      await work(row);
    }
    last = rows.at(-1)?.id;
  }
}

async function sweepUploads(run: Sweep): Promise<number> {
  const { db, storage, now } = run;
  let swept = 0;
  const expired = { expiresAt: { lte: now } };
  await eachRow(
    run,
    (after) =>
      db.upload.findMany({
        where: { AND: [expired, after] },
        include: { file: true },
        orderBy: { id: "asc" },
        take: BATCH,
      }),
    async ({ id, fileId, storeUploadId, file }) => {
      const outcome = await db.$transaction(async (tx) => {
        // An upload that was completed since it was read has a later expiry.
        const removed = await tx.upload.deleteMany({ where: { AND: [{ id }, expired] } });
        if (removed.count === 0) return "renewed";
        const { count } = await tx.file.updateMany({
          where: { id: fileId, state: "pending" },
          data: { state: "deleting" },
        });
        return count === 1 ? "abandoned" : "published";
      });
      if (outcome === "renewed") return;
      if (outcome === "abandoned" && file.sha256 === null) await storage.abortMultipart(file.storageKey, storeUploadId);
      swept += 1;
    },
  );
  return swept;
}

async function sweepAppCenterUploads({ db, before }: Sweep): Promise<number> {
  const { count } = await db.appCenterUpload.deleteMany({ where: { releaseId: null, createdAt: { lt: before } } });
  return count;
}

/** Marks the further files of releases that are gone without them, because their environment was removed. */
async function markLooseAttachments({ db, before }: Sweep): Promise<void> {
  await db.file.updateMany({
    where: {
      purpose: "attachment",
      state: "ready",
      createdAt: { lt: before },
      attachmentOf: { none: {} },
      binnedAttachmentOf: { none: {} },
    },
    data: { state: "deleting" },
  });
}

async function sweepFiles(run: Sweep): Promise<number> {
  const { db, storage, before } = run;
  let swept = 0;
  await markLooseAttachments(run);
  await db.file.updateMany({
    where: { state: "pending", createdAt: { lt: before }, upload: { is: null } },
    data: { state: "deleting" },
  });
  await eachRow(
    run,
    (after) =>
      db.file.findMany({ where: { AND: [{ state: "deleting" }, after] }, orderBy: { id: "asc" }, take: BATCH }),
    async ({ id, storageKey }) => {
      if (await isRemovalPaused(db)) return;
      // The object is removed before the row, so that a crash in between leaves no object without a row.
      await storage.delete(storageKey);
      await db.file.deleteMany({ where: { id, state: "deleting" } });
      swept += 1;
    },
  );
  return swept;
}

/** Leaves one row for each environment, day and kind of the daily activity of past days. */
async function foldActivity({ db, now }: Sweep): Promise<void> {
  await queryRows(db, sql`SELECT 1 FROM fold_past_activity((${now}::timestamptz AT TIME ZONE 'UTC')::date)`);
}

/** Removes parts in the store of uploads that are not in progress. */
async function sweepUnfinished({ db, storage, now, before }: Sweep): Promise<number> {
  const oldest = await db.upload.findFirst({
    where: { expiresAt: { gt: now }, file: { sha256: null } },
    orderBy: { createdAt: "asc" },
  });
  const begun = oldest ? oldest.createdAt.getTime() - CLOCK_SKEW_MS : Number.POSITIVE_INFINITY;
  return storage.sweepUnfinished("", new Date(Math.min(before.getTime(), begun)));
}

/** Compares the store with the rows: removes objects without a row, and finds files without an object. */
async function sweepObjects(run: Sweep): Promise<{ objects: number; lost: string[] }> {
  const { db, storage, now, before, signal } = run;
  let objects = 0;
  let present = 0;
  const settled = { state: "ready" as const, createdAt: { lt: now } };
  const expected = await db.file.count({ where: settled });

  const compare = async (batch: { key: string; lastModified: Date }[]) => {
    const rows = await db.file.findMany({ where: { storageKey: { in: batch.map(({ key }) => key) } } });
    const known = new Set(rows.map(({ storageKey }) => storageKey));
    present += rows.filter(({ state, createdAt }) => state === "ready" && createdAt < now).length;
    for (const { key, lastModified } of batch) {
      if (known.has(key) || lastModified >= before) continue;
      await storage.delete(key);
      objects += 1;
    }
  };
  let batch: { key: string; lastModified: Date }[] = [];
  for await (const object of storage.list("")) {
    signal?.throwIfAborted();
    batch.push(object);
    if (batch.length < BATCH) continue;
    await compare(batch);
    batch = [];
  }
  await compare(batch);
  // Each file is checked only if the counts differ, which a concurrent deletion can also cause.
  const lost = present < expected ? await findLost(run) : [];
  await db.storeState.update({ where: { id: 1 }, data: { sweptAt: now, lostFiles: lost.length } });
  return { objects, lost };
}

async function findLost(run: Sweep): Promise<string[]> {
  const { db, storage, now } = run;
  const lost: string[] = [];
  await eachRow(
    run,
    (after) =>
      db.file.findMany({
        where: { AND: [{ state: "ready", createdAt: { lt: now } }, after] },
        orderBy: { id: "asc" },
        take: BATCH,
      }),
    async ({ id, storageKey }) => {
      if ((await storage.head(storageKey)) !== null) return;
      if ((await db.file.count({ where: { id, state: "ready" } })) === 1) lost.push(id);
    },
  );
  return lost;
}

/** Used tokens are kept until they expire, because for some, such as nonces, the row records the use. */
async function sweepTokens({ db, before }: Sweep): Promise<number> {
  const { count } = await db.oneTimeToken.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

/** Sessions are kept for the grace period, because a call such as a long upload may outlast the expiry of its session. */
async function sweepSessions({ db, before }: Sweep): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { OR: [{ expiresAt: { lt: before } }, { absoluteExpiresAt: { lt: before } }] },
  });
  return count;
}

async function sweepCounters({ db, now }: Sweep): Promise<number> {
  const { count } = await db.rateLimit.deleteMany({ where: { expire: { lte: now.getTime() } } });
  return count;
}

/** Names files that the store has lost, so that they can be restored. @param ids not empty */
async function logLostFiles(db: Db, ids: readonly string[]): Promise<void> {
  const files = await db.file.findMany({
    where: { id: { in: ids.slice(0, NAMED_LOST_FILES) } },
    select: { id: true, name: true, storageKey: true },
  });
  log.error({ count: ids.length, files }, "files in use are missing in the store; restore them from a backup");
}

/**
 * Removes the remains of failed calls, crashed servers and abandoned uploads, so that the store matches the database. Can run
 * at any time, also on several instances at once.
 * @param options.graceMs the age at which unfinished items count as abandoned; 0 also removes a file that is being received in
 *   one piece
 * @param options.signal stops the sweep between two files
 * @throws AggregateError of all failures, after the other steps have finished
 */
export async function sweep(
  db: Db,
  storage: StorageDriver,
  options: { now: Date; graceMs: number; signal?: AbortSignal },
): Promise<SweepResult> {
  const { now, signal } = options;
  const run: Sweep = { db, storage, now, before: new Date(now.getTime() - options.graceMs), signal };
  const failures: unknown[] = [];
  const attempt = async <T>(work: (run: Sweep) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      signal?.throwIfAborted();
      return await work(run);
    } catch (error) {
      failures.push(error);
      return otherwise;
    }
  };
  const uploads = await attempt(sweepUploads, 0);
  const appCenterUploads = await attempt(sweepAppCenterUploads, 0);
  const files = await attempt(sweepFiles, 0);
  const unfinished = await attempt(sweepUnfinished, 0);
  const { objects, lost } = await attempt(sweepObjects, { objects: 0, lost: [] });
  const tokens = await attempt(sweepTokens, 0);
  const sessions = await attempt(sweepSessions, 0);
  const counters = await attempt(sweepCounters, 0);
  const reveals = await attempt(() => settleReveals(now), 0);
  await attempt(foldActivity, undefined);
  const mails = await attempt(({ now }) => sweepOutbox(new Date(now.getTime() - OUTBOX_RETENTION_MS)), 0);
  const visits = await attempt(({ db, now }) => forgetVisits(db, new Date(now.getTime() - VISIT_RETENTION_MS)), 0);

  const result = {
    uploads,
    appCenterUploads,
    files,
    unfinished,
    objects,
    tokens,
    sessions,
    counters,
    reveals,
    mails,
    visits,
    lost,
  };
  if (lost.length > 0) await attempt(({ db }) => logLostFiles(db, lost), undefined);
  if (failures.length > 0) throw new AggregateError(failures, "a part of the sweep failed");
  return result;
}
