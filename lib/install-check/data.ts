import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";

/** A release whose installation can be checked. */
export interface CheckableRelease {
  id: string;
  kind: "ipa" | "apk" | "aab";
  iosEnabled: boolean;
  identifier: string;
  version: string;
  /** Bytes. */
  size: number;
  storageKey: string;
}

const COLUMNS = sql`r."id", r."installer"->>'kind' AS "kind", r."iosEnabled", r."identifier", r."version",
  f."size"::float8 AS "size", f."storageKey"`;

/** Loads a release; null if there is none. */
export async function findCheckable(from: Db, id: string): Promise<CheckableRelease | null> {
  const [row] = await queryRows<CheckableRelease>(
    from,
    sql`SELECT ${COLUMNS} FROM "Release" r JOIN "File" f ON f."id" = r."fileId" WHERE r."id" = ${id}::uuid`,
  );
  return row ?? null;
}

/** The newest release of each kind that devices install, of all environments. */
export async function newestCheckable(from: Db): Promise<CheckableRelease[]> {
  return queryRows<CheckableRelease>(
    from,
    sql`
      SELECT DISTINCT ON (r."installer"->>'kind') ${COLUMNS}
      FROM "Release" r JOIN "File" f ON f."id" = r."fileId"
      WHERE r."installer"->>'kind' = 'apk' OR (r."installer"->>'kind' = 'ipa' AND r."iosEnabled")
      ORDER BY r."installer"->>'kind', r."deployDate" DESC, r."id" DESC`,
  );
}

/** The last check of a release. */
export interface KeptCheck {
  ranAt: Date;
  findings: InstallFinding[];
}

/** Keeps the last check of a release, unless it has been deleted since. */
export async function keepCheck(tx: Db, releaseId: string, { ranAt, findings }: KeptCheck): Promise<void> {
  await queryRows(
    tx,
    sql`
      INSERT INTO "InstallCheck" ("releaseId", "ranAt", "findings")
      SELECT r."id", ${ranAt}::timestamptz, ${JSON.stringify(findings)}::jsonb FROM "Release" r WHERE r."id" = ${releaseId}::uuid
      ON CONFLICT ("releaseId") DO UPDATE SET "ranAt" = excluded."ranAt", "findings" = excluded."findings"
      WHERE "InstallCheck"."ranAt" <= excluded."ranAt"`,
  );
}

/** The last check of a release; null if it was never checked. */
export async function lastCheck(from: Db, releaseId: string): Promise<KeptCheck | null> {
  const [row] = await queryRows<KeptCheck>(
    from,
    sql`SELECT "ranAt", "findings" FROM "InstallCheck" WHERE "releaseId" = ${releaseId}::uuid`,
  );
  return row ?? null;
}

/** The time of the database. */
export async function databaseTime(from: Db): Promise<Date> {
  const [row] = await queryRows<{ now: Date }>(from, sql`SELECT clock_timestamp() AS "now"`);
  return row?.now ?? new Date();
}
