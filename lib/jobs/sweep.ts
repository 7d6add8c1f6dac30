import "server-only";
import type { Db } from "@/lib/db/client";
import { log } from "@/lib/kernel/log";
import { sweepOutbox } from "@/lib/mail/outbox";
import type { StorageDriver } from "@/lib/storage/driver";

/** A pending file that is older than this is abandoned. */
export const SWEEP_GRACE_MS = 24 * 3_600_000;

/** How long a mail stays in the outbox of a console without a mail server; its link expires earlier. */
const OUTBOX_RETENTION_MS = 30 * 24 * 3_600_000;

/** How far the clock of the store may be off. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** How many rows or keys are looked at in one go. */
const BATCH = 500;

/** What a sweep removed, and what it found lost. */
export interface SweepResult {
  /** Uploads whose time was over. */
  uploads: number;
  /** Files that nothing refers to. */
  files: number;
  /** Puts and multipart uploads that the store still held parts of. */
  unfinished: number;
  /** Objects of the store that no row knows. */
  objects: number;
  /** One-time tokens, a while after they had expired. */
  tokens: number;
  /** Sessions, a while after they had expired. */
  sessions: number;
  /** Counters of limits whose time was over. */
  counters: number;
  /** Mails that have stayed in this instance's outbox for long. */
  mails: number;
  /** The ids of files in use whose bytes are gone: a fault that only a backup mends. */
  lost: string[];
}

interface Sweep {
  db: Db;
  storage: StorageDriver;
  now: Date;
  /** What was there before and is not in use is forgotten. */
  before: Date;
  signal: AbortSignal | undefined;
}

/** Goes through rows in the order of their ids, so that one that cannot be dealt with does not hold up the others. */
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
        // One that was completed since it was read has time again.
        const forgotten = await tx.upload.deleteMany({ where: { AND: [{ id }, expired] } });
        if (forgotten.count === 0) return "renewed";
        const { count } = await tx.file.updateMany({
          where: { id: fileId, state: "pending" },
          data: { state: "deleting" },
        });
        return count === 1 ? "forgotten" : "published";
      });
      if (outcome === "renewed") return;
      if (outcome === "forgotten" && file.sha256 === null) await storage.abortMultipart(file.storageKey, storeUploadId);
      swept += 1;
    },
  );
  return swept;
}

async function sweepFiles(run: Sweep): Promise<number> {
  const { db, storage, before } = run;
  let swept = 0;
  await db.file.updateMany({
    where: { state: "pending", createdAt: { lt: before }, upload: { is: null } },
    data: { state: "deleting" },
  });
  await eachRow(
    run,
    (after) =>
      db.file.findMany({ where: { AND: [{ state: "deleting" }, after] }, orderBy: { id: "asc" }, take: BATCH }),
    async ({ id, storageKey }) => {
      // The bytes first, then the row: in the other order, a crash in between would leave bytes that no row knows.
      await storage.delete(storageKey);
      await db.file.deleteMany({ where: { id, state: "deleting" } });
      swept += 1;
    },
  );
  return swept;
}

/** Parts that the store holds of nothing that still goes on. */
async function sweepUnfinished({ db, storage, now, before }: Sweep): Promise<number> {
  const oldest = await db.upload.findFirst({
    where: { expiresAt: { gt: now }, file: { sha256: null } },
    orderBy: { createdAt: "asc" },
  });
  const begun = oldest ? oldest.createdAt.getTime() - CLOCK_SKEW_MS : Number.POSITIVE_INFINITY;
  return storage.sweepUnfinished("", new Date(Math.min(before.getTime(), begun)));
}

/** Compares the store with the rows: removes objects that no row knows, and names files whose object is gone. */
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
  // Each file is looked up only if the numbers differ; a file deleted in the same time makes them differ too.
  return { objects, lost: present < expected ? await findLost(run) : [] };
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

/** Used ones stay as well until they would have expired: of some, such as nonces, only the use is recorded. */
async function sweepTokens({ db, before }: Sweep): Promise<number> {
  const { count } = await db.oneTimeToken.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

/** A session that expires during a call carries it to its end, which may be a long upload's. */
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

/**
 * Removes what calls that failed, servers that crashed and uploads that were given up left behind, so that the store
 * and the tables agree. It may run at any time, on several instances at once.
 * @param options.graceMs how old something unfinished must be to count as forgotten; 0 takes everything that no upload
 *   still goes on with, even a file that is just arriving
 * @param options.signal ends it between two files
 * @throws AggregateError of all that could not be done; everything else is done nevertheless
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
  const files = await attempt(sweepFiles, 0);
  const unfinished = await attempt(sweepUnfinished, 0);
  const { objects, lost } = await attempt(sweepObjects, { objects: 0, lost: [] });
  const tokens = await attempt(sweepTokens, 0);
  const sessions = await attempt(sweepSessions, 0);
  const counters = await attempt(sweepCounters, 0);
  const mails = await attempt(({ now }) => sweepOutbox(new Date(now.getTime() - OUTBOX_RETENTION_MS)), 0);

  const result = { uploads, files, unfinished, objects, tokens, sessions, counters, mails, lost };
  if (lost.length > 0)
    log.error({ fileIds: lost }, "files in use are missing in the store; restore them from a backup");
  if (failures.length > 0) throw new AggregateError(failures, "a part of the sweep failed");
  return result;
}
