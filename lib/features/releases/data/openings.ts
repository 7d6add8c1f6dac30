import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import type { ReleaseOpening } from "../schema";

/** The openings of a release's page, latest first, as JSON. */
export const openingsOf = (releaseId: string) => sql`
  (SELECT json_agg(json_build_object('device', "device", 'osVersion', "osVersion",
      'firstOpenedAt', "firstOpenedAt", 'lastOpenedAt', "lastOpenedAt") ORDER BY "lastOpenedAt" DESC, "device")
   FROM "ReleaseOpening" WHERE "releaseId" = ${releaseId}::uuid)`;

export const toOpenings = (rows: ReleaseOpening[] | null): ReleaseOpening[] =>
  (rows ?? []).map(({ firstOpenedAt, lastOpenedAt, ...row }) => ({
    ...row,
    firstOpenedAt: new Date(firstOpenedAt).toISOString(),
    lastOpenedAt: new Date(lastOpenedAt).toISOString(),
  }));

/** The last opening of a release's page on each kind of device, latest first. */
export async function readOpenings(db: Db, releaseId: string): Promise<ReleaseOpening[]> {
  const [found] = await queryRows<{ openings: ReleaseOpening[] | null }>(
    db,
    sql`SELECT ${openingsOf(releaseId)} AS "openings"`,
    { prepared: true },
  );
  return toOpenings(found?.openings ?? null);
}

/** Openings on the same kind of device within this time are one. */
export const OPENING_INTERVAL_MS = 10_000;

/**
 * Records that a release's page was opened, unless it was opened on such a device just before: then nothing is written or locked,
 * so that many people can open a new release at the same time.
 * @returns whether it was recorded
 */
export async function recordOpening(
  db: Db,
  { releaseId, device, osVersion, at }: Pick<ReleaseOpening, "device" | "osVersion"> & { releaseId: string; at: Date },
): Promise<boolean> {
  const recorded = await queryRows(
    db,
    sql`
      INSERT INTO "ReleaseOpening" AS known ("releaseId", "device", "osVersion", "firstOpenedAt", "lastOpenedAt")
      SELECT r."id", ${device}::"DeviceKind", ${osVersion}::text, ${at}, ${at} FROM "Release" r
      WHERE r."id" = ${releaseId}::uuid AND NOT EXISTS (
        SELECT 1 FROM "ReleaseOpening" o
        WHERE o."releaseId" = r."id" AND o."device" = ${device}::"DeviceKind"
          AND o."lastOpenedAt" > ${new Date(at.getTime() - OPENING_INTERVAL_MS)}
      )
      ON CONFLICT ("releaseId", "device") DO UPDATE
        SET "osVersion" = EXCLUDED."osVersion", "lastOpenedAt" = EXCLUDED."lastOpenedAt"
        WHERE known."lastOpenedAt" < EXCLUDED."lastOpenedAt"
      RETURNING 1`,
  );
  return recorded.length > 0;
}
