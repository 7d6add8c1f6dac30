import "server-only";
import { orNotFound } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { join, queryRows, sql } from "@/lib/db/query";
import { NEWEST_FIRST } from "@/lib/db/release-order";
import { ApiError } from "@/lib/kernel/errors";
import { unique } from "@/lib/kernel/unique";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { groupsOfReleaseSql } from "@/lib/permissions/visibility";
import { decodeVisitor, type Visitor } from "@/lib/visits/visitor";
import { hasCurrentNotes, NOTES_VERSION, renderedNotes } from "../internal/release-notes";
import { limitsOf, type ReadPlace } from "./read-places";
import { requireRoom } from "./room";
import { detailsOf, findRelease, type ReleaseRow, readReleases } from "./rows";

/** Prisma's code. */
const FOREIGN_KEY_VIOLATION = "P2003";

/** A release as the target of a call, with its row. */
interface ReleaseTarget extends Target {
  environmentId: string;
  release: ReleaseRow;
}

/**
 * Loads a release as the target of a call, active if its app and environment are, with the groups that it was distributed to; null if
 * it does not exist.
 */
export async function releaseTarget(db: Db, id: string): Promise<ReleaseTarget | null> {
  const {
    rows: [release],
    scalar: groups,
  } = await readReleases<string[]>(db, sql`SELECT r.* FROM "Release" r WHERE r."id" = ${id}::uuid`, {
    scalar: groupsOfReleaseSql(sql`${id}::uuid`),
    prepared: true,
  });
  if (!release) return null;
  const { environment } = release;
  return {
    appId: environment.app.id,
    environmentId: environment.id,
    active: environment.status === "active" && environment.app.status === "active",
    groups: groups ?? [],
    release,
  };
}

/** The release of a link, and whose installation the link is for. */
export async function linkedReleaseTarget(
  db: Db,
  { subject, visitor }: { subject: string; visitor: string | null },
): Promise<(ReleaseTarget & { visitor: Visitor | null }) | null> {
  const target = await releaseTarget(db, subject);
  return target && { ...target, visitor: decodeVisitor(visitor) };
}

/**
 * The previous release of the same identifier, platform and kind of installer in the environment.
 * @param place the environment, as far as the caller reads it; left out, whole
 */
export function previousRelease(db: Db, release: ReleaseRow, place?: ReadPlace): Promise<ReleaseRow | null> {
  const { environmentId, platformId, identifier, deployDate, id } = release;
  return findRelease(
    db,
    sql`
      SELECT r.* FROM "Release" r
      WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = ${platformId}::uuid
        AND r."identifier" = ${identifier} AND r."installer"->>'kind' = ${detailsOf(release).kind}
        AND ${join([sql`(r."deployDate", r."id") < (${deployDate}, ${id}::uuid)`, ...(place ? limitsOf([place]) : [])], " AND ")}
      ORDER BY ${NEWEST_FIRST} LIMIT 1`,
  );
}

/** The newest release of an identifier, platform and kind of installer in an environment. */
export function newestRelease(
  db: Db,
  build: Pick<ReleaseRow, "environmentId" | "platformId" | "identifier"> & { kind: string },
): Promise<ReleaseRow | null> {
  const { environmentId, platformId, identifier, kind } = build;
  return findRelease(
    db,
    sql`
      SELECT r.* FROM "Release" r
      WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = ${platformId}::uuid
        AND r."identifier" = ${identifier} AND r."installer"->>'kind' = ${kind}
      ORDER BY ${NEWEST_FIRST} LIMIT 1`,
  );
}

/** The first release of an installer with these bytes in an environment. */
export function findReleaseOfBytes(db: Db, environmentId: string, sha256: string): Promise<ReleaseRow | null> {
  return findRelease(
    db,
    sql`
      SELECT r.* FROM "Release" r JOIN "File" f ON f."id" = r."fileId"
      WHERE r."environmentId" = ${environmentId}::uuid AND f."sha256" = ${sha256}
      ORDER BY r."deployDate" ASC, r."id" ASC LIMIT 1`,
  );
}

/** Serializes publications of the same bytes in the same environment until the transaction ends. */
export async function lockBytes(tx: Db, environmentId: string, sha256: string): Promise<void> {
  const key = `release:${environmentId}:${sha256}`;
  await lockUntilCommit(tx, key);
}

/** @throws ApiError not_found if the release was deleted */
async function loadRelease(from: Db, id: string): Promise<ReleaseRow> {
  return orNotFound(await findRelease(from, sql`SELECT r.* FROM "Release" r WHERE r."id" = ${id}::uuid`));
}

/**
 * @throws ApiError not_found if its environment or platform was deleted after it had been loaded; conflict if the environment has as
 *   many releases as it may have
 */
export async function createRelease(tx: Db, data: Prisma.ReleaseUncheckedCreateInput): Promise<ReleaseRow> {
  await requireRoom(tx, data.environmentId);
  try {
    const { id } = await tx.release.create({
      data: { ...data, ...renderedNotes(data.description) },
      select: { id: true },
    });
    return await loadRelease(tx, id);
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === FOREIGN_KEY_VIOLATION) {
      throw new ApiError("not_found", { cause: error });
    }
    throw error;
  }
}

/**
 * Loads a release and locks its row until the transaction ends.
 * @throws ApiError not_found
 */
export async function lockRelease(tx: Db, id: string): Promise<ReleaseRow> {
  await lockRow(tx, "Release", id);
  return loadRelease(tx, id);
}

/**
 * Loads a release and keeps it from being changed or deleted until the transaction ends.
 * @throws ApiError not_found
 */
export async function holdRelease(tx: Db, id: string): Promise<ReleaseRow> {
  await lockRow(tx, "Release", id, { shared: true });
  return loadRelease(tx, id);
}

/**
 * Keeps releases from being changed or deleted until the transaction ends, locked in the order of their IDs.
 * @throws ApiError not_found
 */
export async function holdReleases(tx: Db, ids: readonly string[]): Promise<void> {
  const wanted = unique(ids);
  const held = await queryRows(
    tx,
    sql`SELECT 1 FROM "Release" WHERE "id" = ANY (${wanted}::uuid[]) ORDER BY "id" FOR SHARE`,
  );
  if (held.length !== wanted.length) throw new ApiError("not_found");
}

/** @throws ApiError not_found if it was deleted */
export async function updateRelease(
  tx: Db,
  id: string,
  data: Omit<Prisma.ReleaseUncheckedUpdateInput, "description"> & { description?: string },
): Promise<ReleaseRow> {
  const notes = data.description === undefined ? {} : renderedNotes(data.description);
  await tx.release.update({ where: { id }, data: { ...data, ...notes }, select: { id: true } });
  return loadRelease(tx, id);
}

/**
 * Keeps the rendered notes of rows that have none, or those of another version of the renderer, unless their description changes
 * at the same moment.
 */
export async function keepRenderedNotes(db: Db, rows: readonly ReleaseRow[]): Promise<void> {
  const stale = rows.filter((row) => !hasCurrentNotes(row));
  if (stale.length === 0) return;
  const rendered = stale.map(({ id, description }) => ({ id, description, ...renderedNotes(description) }));
  await queryRows(
    db,
    sql`
      UPDATE "Release" r SET "descriptionHtml" = n."descriptionHtml", "descriptionSummary" = n."descriptionSummary",
        "notesVersion" = ${NOTES_VERSION}
      FROM json_to_recordset(${JSON.stringify(rendered)}::json)
        AS n("id" uuid, "description" text, "descriptionHtml" text, "descriptionSummary" text)
      WHERE r."id" = n."id" AND r."description" = n."description"`,
  );
}

/** The column that names the publisher of a release: a user or an API token. */
export function creatorColumns(actor: AuthenticatedActor): { createdByUser?: string; createdByToken?: string } {
  return actor.kind === "user" ? { createdByUser: actor.userId } : { createdByToken: actor.tokenId };
}

/** Has the job make the APK of a bundle. What people enter was not changed, so `updatedAt` stays. */
export async function requestUniversal(tx: Db, id: string): Promise<ReleaseRow> {
  await queryRows(
    tx,
    sql`
      UPDATE "Release" SET "universalState" = 'pending', "universalError" = NULL, "universalDetail" = NULL
      WHERE "id" = ${id}::uuid`,
  );
  return loadRelease(tx, id);
}
