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

/** What is counted of a version: the first number of an iOS version, or an Android API level; empty for others. */
const countedSystem = (osVersion: string | null) => /^\d{1,3}(?=\.|$)/.exec(osVersion ?? "")?.[0] ?? "";

/**
 * Records that a release's page was opened. It is counted by day and system if it was a phone or a tablet. The opening of the device is
 * kept unless the page was opened on such a device just before: then nothing of the release is written or locked, so that many people
 * can open a new release at the same time.
 * @returns whether it was kept
 */
export async function recordOpening(db: Db, { releaseId, device, osVersion, at }: Opening): Promise<boolean> {
  const [found] = await queryRows<{ recorded: boolean }>(
    db,
    sql`
      WITH opened AS (
        SELECT r."id", r."environmentId" FROM "Release" r WHERE r."id" = ${releaseId}::uuid
      ), counted AS MATERIALIZED (
        SELECT count_opening("environmentId", ${at}::timestamptz, ${device}::"DeviceKind", ${countedSystem(osVersion)}::text)
        FROM opened WHERE ${device !== "desktop"}
      ), recorded AS (
      INSERT INTO "ReleaseOpening" AS known ("releaseId", "device", "osVersion", "firstOpenedAt", "lastOpenedAt")
      SELECT opened."id", ${device}::"DeviceKind", ${osVersion}::text, ${at}, ${at} FROM opened
      WHERE NOT EXISTS (
        SELECT 1 FROM "ReleaseOpening" o
        WHERE o."releaseId" = opened."id" AND o."device" = ${device}::"DeviceKind"
          AND o."lastOpenedAt" > ${new Date(at.getTime() - OPENING_INTERVAL_MS)}
      )
      ON CONFLICT ("releaseId", "device") DO UPDATE
        SET "osVersion" = EXCLUDED."osVersion", "lastOpenedAt" = EXCLUDED."lastOpenedAt"
        WHERE known."lastOpenedAt" < EXCLUDED."lastOpenedAt"
      RETURNING 1
      )
      SELECT EXISTS (SELECT 1 FROM recorded) AS "recorded", (SELECT count(*) FROM counted)::int AS "counted"`,
  );
  return found?.recorded ?? false;
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
