import "server-only";
import type { InstallerDetails } from "@slipway/installers";
import type { Db } from "@/lib/db/client";
import { join, queryRows, sql } from "@/lib/db/query";
import { LATEST_FIRST, NEWEST_FIRST } from "@/lib/db/release-order";
import type { ReleaseOpening } from "../schema";
import { openingsOf, toOpenings } from "./openings";
import { limitsOf, type ReadPlace } from "./read-places";
import { detailsOf, type ReleaseRow } from "./rows";

type Build = Pick<ReleaseRow, "id" | "version" | "buildNumber">;

/** What surrounds a release; see `releaseDetailsSchema`. */
interface ReleaseSurroundings {
  apkId: string | null;
  otherPlatformId: string | null;
  next: Build | null;
  latest: Build;
  sameBuild: { id: string; kind: InstallerDetails["kind"]; platformName: string }[];
  lastDownloadAt: Date | null;
  openings: ReleaseOpening[];
}

/**
 * What surrounds a release in its environment, in one statement.
 * @param place the environment, as far as the caller reads it
 */
export async function readSurroundings(db: Db, release: ReleaseRow, place: ReadPlace): Promise<ReleaseSurroundings> {
  const { id, environmentId, platformId, identifier, version, buildNumber, deployDate } = release;
  const { kind } = detailsOf(release);
  const read = join([sql`r."environmentId" = ${environmentId}::uuid`, ...limitsOf([place])], " AND ");
  const sameBuild = sql`
    SELECT DISTINCT ON (r."platformId", r."installer"->>'kind')
      r."id", r."installer"->>'kind' AS "kind", p."name" AS "platformName", r."id" = ${id}::uuid AS "own"
    FROM "Release" r JOIN "Platform" p ON p."id" = r."platformId"
    WHERE ${read} AND r."version" = ${version} AND r."buildNumber" = ${buildNumber}
    ORDER BY r."platformId", r."installer"->>'kind', "own" DESC, ${NEWEST_FIRST}`;
  const [found] = await queryRows<Omit<ReleaseSurroundings, "apkId" | keyof LoadedSurroundings> & LoadedSurroundings>(
    db,
    sql`
      SELECT
        (SELECT json_agg(found ORDER BY "platformName", "kind" DESC) FROM (${sameBuild}) found) AS "sameBuild",
        (SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") FROM "Release" r
         WHERE ${read} AND r."platformId" = ${platformId}::uuid
           AND r."identifier" = ${identifier} AND r."installer"->>'kind' = ${kind}
           AND (r."deployDate", r."id") > (${deployDate}, ${id}::uuid)
         ORDER BY r."deployDate" ASC, r."id" ASC LIMIT 1) AS "next",
        (SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") FROM "Release" r
         WHERE ${read} AND r."platformId" = ${platformId}::uuid
         ORDER BY ${LATEST_FIRST} LIMIT 1) AS "latest",
        (SELECT max("at") FROM "ReleaseDownload" WHERE "releaseId" = ${id}::uuid) AS "lastDownloadAt",
        ${openingsOf(id)} AS "openings",
        (SELECT p."id" FROM "Platform" p CROSS JOIN LATERAL (
           SELECT r."deployDate", r."id" FROM "Release" r
           WHERE ${read} AND r."platformId" = p."id"
           ORDER BY ${NEWEST_FIRST} LIMIT 1
         ) r
         WHERE p."kind" = ${kind === "ipa" ? "android" : "ios"}::"PlatformKind"
         ORDER BY ${NEWEST_FIRST} LIMIT 1) AS "otherPlatformId"`,
    { prepared: true },
  );
  const { sameBuild: builds, openings, latest, ...rest } = found as NonNullable<typeof found>;
  const others = (builds ?? []).map(({ own: _own, ...build }) => build);
  const apk = kind === "aab" ? others.find((build) => build.kind === "apk") : undefined;
  return {
    ...rest,
    // The release itself may be deleted by now.
    latest: latest ?? { id, version, buildNumber },
    openings: toOpenings(openings),
    sameBuild: others,
    apkId: apk?.id ?? null,
  };
}

interface LoadedSurroundings {
  sameBuild: (ReleaseSurroundings["sameBuild"][number] & { own: boolean })[] | null;
  latest: Build | null;
  openings: ReleaseOpening[] | null;
}
