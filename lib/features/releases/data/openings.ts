import "server-only";
import type { Db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import type { KnownOpening, ReleaseOpening } from "../schema";

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

/**
 * The last openings of a release's page on each kind of device, latest first: those that count, and those of people who can publish
 * there.
 */
export async function readOpenings(db: Db, releaseId: string): Promise<KnownOpening[]> {
  const rows = await queryRows<
    Pick<KnownOpening, "device" | "osVersion" | "byPublisher"> & { firstOpenedAt: Date; lastOpenedAt: Date }
  >(
    db,
    sql`
      SELECT "device", "osVersion", "firstOpenedAt", "lastOpenedAt", false AS "byPublisher"
      FROM "ReleaseOpening" WHERE "releaseId" = ${releaseId}::uuid
      UNION ALL
      SELECT "device", "osVersion", "openedAt", "openedAt", true FROM "PublisherOpening" WHERE "releaseId" = ${releaseId}::uuid
      ORDER BY "lastOpenedAt" DESC, "device"`,
    { prepared: true },
  );
  return rows.map(({ firstOpenedAt, lastOpenedAt, ...row }) => ({
    ...row,
    firstOpenedAt: firstOpenedAt.toISOString(),
    lastOpenedAt: lastOpenedAt.toISOString(),
  }));
}

/** Openings on the same kind of device within this time are one. */
export const OPENING_INTERVAL_MS = 10_000;

/** An opening of a release's page. */
interface Opening extends Pick<ReleaseOpening, "device" | "osVersion"> {
  releaseId: string;
  at: Date;
}

/**
 * Keeps when a release's page was opened on a kind of device, unless it was opened on such a device just before: then nothing is written
 * or locked, so that many people can open a new release at the same time. How many people opened it is counted by their visits.
 * @returns whether it was kept
 */
export async function recordOpening(db: Db, { releaseId, device, osVersion, at }: Opening): Promise<boolean> {
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

/**
 * Keeps when somebody who can publish there opened a release's page, for those who share it.
 * @returns whether it was kept; not just after another one
 */
export async function recordPublisherOpening(db: Db, { releaseId, device, osVersion, at }: Opening): Promise<boolean> {
  const recorded = await queryRows(
    db,
    sql`
      INSERT INTO "PublisherOpening" AS known ("releaseId", "device", "osVersion", "openedAt")
      SELECT r."id", ${device}::"DeviceKind", ${osVersion}::text, ${at} FROM "Release" r WHERE r."id" = ${releaseId}::uuid
      ON CONFLICT ("releaseId", "device") DO UPDATE
        SET "osVersion" = EXCLUDED."osVersion", "openedAt" = EXCLUDED."openedAt"
        WHERE known."openedAt" <= ${new Date(at.getTime() - OPENING_INTERVAL_MS)}
      RETURNING 1`,
  );
  return recorded.length > 0;
}
