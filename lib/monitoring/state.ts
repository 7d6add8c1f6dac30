import "server-only";
import { statfs } from "node:fs/promises";
import { expiryHorizon } from "@slipway/certificates";
import { type Db, databasePool } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { env } from "@/lib/kernel/env";
import { withTimeout } from "@/lib/kernel/timeout";
import { storage } from "@/lib/storage";

/** How long the store, a disk or the database may take to answer. */
const CHECK_TIMEOUT_MS = 2_000;
/** Rows are counted up to this, so that reading the state costs the same whatever has piled up. */
const COUNT_CAP = 10_000;

/** How long an answer took; null without one. */
export interface Response {
  seconds: number | null;
  error?: unknown;
}

async function timed(work: () => Promise<unknown>): Promise<Response> {
  const begun = performance.now();
  try {
    await withTimeout(work(), CHECK_TIMEOUT_MS);
    return { seconds: (performance.now() - begun) / 1000 };
  } catch (error) {
    return { seconds: null, error };
  }
}

/** How long the database takes to answer, a free connection included. */
export function checkDatabase(): Promise<Response> {
  return timed(() => databasePool().query("SELECT 1"));
}

/** The version of PostgreSQL. */
export async function databaseVersion(db: Db): Promise<string> {
  const [row] = await queryRows<{ version: string }>(db, sql`SELECT current_setting('server_version') AS "version"`, {
    prepared: true,
  });
  return row?.version.split(" ")[0] ?? "";
}

/** How long the store takes to answer. */
export function checkStore(): Promise<Response> {
  return timed(() => storage().ping());
}

/** Room in bytes. */
export interface Space {
  freeBytes: number;
  totalBytes: number;
}

/** The file system of DATA_DIR; null if it cannot be read. */
export async function readDisk(): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await withTimeout(statfs(env.DATA_DIR), CHECK_TIMEOUT_MS);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** What uploads to the store may still use, in bytes; null if the store does not tell. */
export async function readStoreSpace(): Promise<number | null> {
  const space = await withTimeout(storage().space?.() ?? Promise.resolve(null), CHECK_TIMEOUT_MS).catch(() => null);
  return space && Math.max(0, space.freeBytes - space.reserveBytes);
}

/** The connections of this instance's pool. */
interface PoolState {
  size: number;
  max: number;
  idle: number;
  /** Queries that wait for a connection. */
  waiting: number;
}

export function readPool(): PoolState {
  const { totalCount, options, idleCount, allWaiting } = databasePool();
  return { size: totalCount, max: options.max, idle: idleCount, waiting: allWaiting };
}

/** What all instances share. */
interface SharedState {
  usedBytes: number;
  /** Files in use whose objects the latest sweep did not find in the store. */
  lostFiles: number;
  /** When that sweep compared the files in use with the store; null before the first one. */
  sweptAt: Date | null;
  /** Uploads in parts that were begun and are neither complete nor expired. */
  uploads: { count: number; bytes: number };
  auditRecords: number;
  /** Certificates in use. */
  certificates: { expired: number; expiring: number; nextAt: Date | null };
  instances: number;
}

interface SharedRow {
  usedBytes: number;
  lostFiles: number;
  sweptAt: Date | null;
  uploads: { count: number; bytes: number };
  auditRecords: number;
  expired: number;
  expiring: number;
  nextAt: Date | null;
  instances: number;
}

/** @param instancesSince an instance that was seen later runs */
export async function readShared(db: Db, now: Date, instancesSince: Date): Promise<SharedState> {
  const inUse = sql`
    JOIN "Environment" e ON e."id" = c."environmentId" AND e."status" = 'active'
    JOIN "App" a ON a."id" = e."appId" AND a."status" = 'active'`;
  const [row] = await queryRows<SharedRow>(
    db,
    sql`
      SELECT
        (SELECT coalesce(sum("change"), 0)::float8 FROM "StoredBytes") AS "usedBytes",
        swept."lostFiles", swept."sweptAt",
        (SELECT json_build_object('count', count(*), 'bytes', coalesce(sum("size"), 0)) FROM (
          SELECT u."size" FROM "Upload" u JOIN "File" f ON f."id" = u."fileId"
          WHERE u."expiresAt" > ${now}::timestamptz AND f."state" = 'pending' AND f."sha256" IS NULL
          LIMIT ${COUNT_CAP}
        ) open) AS "uploads",
        coalesce((SELECT "id"::float8 FROM "AuditRecord" ORDER BY "id" DESC LIMIT 1), 0) AS "auditRecords",
        (SELECT count(*)::int FROM (
          SELECT 1 FROM "SecureCertificate" c ${inUse}
          WHERE c."expirationDate" <= ${now}::timestamptz AND c."status" = 'active' LIMIT ${COUNT_CAP}
        ) expired) AS "expired",
        (SELECT count(*)::int FROM (
          SELECT 1 FROM "SecureCertificate" c ${inUse}
          WHERE c."expirationDate" > ${now}::timestamptz AND c."expirationDate" < ${expiryHorizon(now)}::timestamptz
            AND c."status" = 'active' LIMIT ${COUNT_CAP}
        ) expiring) AS "expiring",
        (SELECT c."expirationDate" FROM "SecureCertificate" c ${inUse}
          WHERE c."expirationDate" > ${now}::timestamptz AND c."status" = 'active'
          ORDER BY c."expirationDate" LIMIT 1) AS "nextAt",
        (SELECT count(*)::int FROM "Instance" WHERE "seenAt" > ${instancesSince}::timestamptz) AS "instances"
      FROM "StoreState" swept`,
    { prepared: true },
  );
  const { expired, expiring, nextAt, ...rest } = row as SharedRow;
  return { ...rest, certificates: { expired, expiring, nextAt } };
}
