import "server-only";
import type { z } from "zod";
import { likeText, orNotFound, pagePosition, toPage } from "@/lib/api/list";
import { requireRoom } from "@/lib/api/room";
import { type Db, db } from "@/lib/db/client";
import type { Prisma, Status } from "@/lib/db/generated/client";
import { lockRow } from "@/lib/db/locks";
import { empty, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { LATEST_FIRST, NEWEST_FIRST } from "@/lib/db/release-order";
import { latestReleasesByPlatform } from "@/lib/features/releases/data/latest";
import { recordOpening } from "@/lib/features/releases/data/openings";
import { type ReleaseRow, readReleases } from "@/lib/features/releases/data/rows";
import { FILES_OF_BUILD } from "@/lib/features/releases/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import { Batches } from "@/lib/kernel/batches";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { processSingleton } from "@/lib/kernel/process-singleton";
import type { Target } from "@/lib/permissions/authorize";
import { hashOfCode, unsealCode } from "./internal/code";
import { isUnlocked } from "./internal/unlocking";
import { type LinkState, linkEnd } from "./rules";
import type { getShareLinksInput, ShareLink } from "./schema";

/** A link with the names that it is shown with. */
interface ShareLinkRow extends Omit<Prisma.ShareLinkGetPayload<object>, "codeHash"> {
  environment: { id: string; name: string; status: Status; app: { id: string; name: string; status: Status } };
  release: { id: string; displayName: string; version: string; buildNumber: string } | null;
  platform: { id: string; name: string } | null;
  user: { id: string; firstNames: string; lastNames: string } | null;
  token: { id: string; name: string } | null;
}

/** Reads links that are not deleted, with the names that they are shown with, by one statement. */
function readShareLinks(from: Db, condition: Sql, page: Sql = empty): Promise<ShareLinkRow[]> {
  return queryRows<ShareLinkRow>(
    from,
    sql`
      SELECT l."id", l."environmentId", l."releaseId", l."followsLatest", l."platformId", l."name", l."code", l."passwordHash",
        l."expiresAt", l."maxInstalls", l."onlyPhones", l."showNotes", l."openCount", l."installCount", l."createdByUser",
        l."createdByToken", l."createdAt", l."updatedAt", l."deletedAt",
        json_build_object('id', e."id", 'name', e."name", 'status', e."status",
          'app', json_build_object('id', a."id", 'name', a."name", 'status', a."status")) AS "environment",
        CASE WHEN r."id" IS NOT NULL THEN json_build_object('id', r."id", 'displayName', r."displayName",
          'version', r."version", 'buildNumber', r."buildNumber") END AS "release",
        CASE WHEN p."id" IS NOT NULL THEN json_build_object('id', p."id", 'name', p."name") END AS "platform",
        CASE WHEN u."id" IS NOT NULL
          THEN json_build_object('id', u."id", 'firstNames', u."firstNames", 'lastNames', u."lastNames") END AS "user",
        CASE WHEN t."id" IS NOT NULL THEN json_build_object('id', t."id", 'name', t."name") END AS "token"
      FROM "ShareLink" l JOIN "Environment" e ON e."id" = l."environmentId" JOIN "App" a ON a."id" = e."appId"
        LEFT JOIN "Release" r ON r."id" = l."releaseId" LEFT JOIN "Platform" p ON p."id" = l."platformId"
        LEFT JOIN "User" u ON u."id" = l."createdByUser" LEFT JOIN "ApiToken" t ON t."id" = l."createdByToken"
      WHERE l."deletedAt" IS NULL AND ${condition} ${page}`,
  );
}

async function findShareLink(from: Db, id: string): Promise<ShareLinkRow | null> {
  const [row] = await readShareLinks(from, sql`l."id" = ${id}::uuid`);
  return row ?? null;
}

/** The address of a link's page. */
export function shareLinkUrl(code: string): string {
  return `${env.APP_URL}/i/${code}`;
}

function isActive({ environment }: ShareLinkRow): boolean {
  return environment.status === "active" && environment.app.status === "active";
}

/** A link as the API shows it to those who may change it. @throws SealedError */
export function toShareLink(row: ShareLinkRow, now: Date): ShareLink {
  const { environment, user, token } = row;
  const code = unsealCode(row);
  return {
    id: row.id,
    name: row.name,
    code,
    url: shareLinkUrl(code),
    qrUrl: `${env.APP_URL}/api/share-links/download-share-link-qr-code?id=${row.id}`,
    app: { id: environment.app.id, name: environment.app.name },
    environment: { id: environment.id, name: environment.name },
    release: row.release,
    followsLatest: row.followsLatest,
    platform: row.platform,
    hasPassword: row.passwordHash !== null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    maxInstalls: row.maxInstalls,
    onlyPhones: row.onlyPhones,
    showNotes: row.showNotes,
    opened: row.openCount,
    installed: row.installCount,
    ended: linkEnd({ ...row, active: isActive(row) }, now),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: user
      ? { kind: "user", id: user.id, name: `${user.firstNames} ${user.lastNames}` }
      : token && { kind: "token", id: token.id, name: token.name },
  };
}

/** What the audit log tells of a link; the values of the code and the password are hidden there. */
export function auditedFields(row: ShareLinkRow): object {
  const { name, environmentId, releaseId, platformId, passwordHash, expiresAt, maxInstalls, onlyPhones, showNotes } =
    row;
  return { name, environmentId, releaseId, platformId, passwordHash, expiresAt, maxInstalls, onlyPhones, showNotes };
}

/** A link as the target of a call. */
interface ShareLinkTarget extends Target {
  link: ShareLinkRow;
}

/** Loads a link as the target of a call; null if it does not exist or was deleted. */
export async function shareLinkTarget(from: Db, id: string): Promise<ShareLinkTarget | null> {
  const link = await findShareLink(from, id);
  if (!link) return null;
  const { environment } = link;
  return { appId: environment.app.id, environmentId: environment.id, active: isActive(link), link };
}

/** How many deleted links of an environment stay, so that their codes are answered as those of links that ended. */
export const KEPT_DELETED_LINKS = 10_000;

/** @throws ApiError conflict if the environment has as many links as it may have */
export async function createShareLink(
  tx: Db,
  data: Prisma.ShareLinkUncheckedCreateInput & { id: string },
): Promise<ShareLinkRow> {
  await requireRoom(tx, {
    key: `share-links:${data.environmentId}`,
    rows: sql`SELECT 1 FROM "ShareLink" WHERE "environmentId" = ${data.environmentId}::uuid AND "deletedAt" IS NULL`,
    limit: env.MAX_SHARE_LINKS,
    detailKey: "detailShareLinks",
  });
  await tx.shareLink.create({ data, select: { id: true } });
  return orNotFound(await findShareLink(tx, data.id));
}

/**
 * Loads a link and locks its row until the transaction ends.
 * @throws ApiError not_found if it was deleted
 */
export async function lockShareLink(tx: Db, id: string): Promise<ShareLinkRow> {
  await lockRow(tx, "ShareLink", id);
  return orNotFound(await findShareLink(tx, id));
}

/** Changes a link that is locked. */
export async function updateShareLink(
  tx: Db,
  id: string,
  data: Prisma.ShareLinkUncheckedUpdateInput,
): Promise<ShareLinkRow> {
  await tx.shareLink.update({ where: { id }, data, select: { id: true } });
  return orNotFound(await findShareLink(tx, id));
}

/**
 * Deletes a link that is locked. The hash of its code is kept, and nothing that opens the link or tells the code. Of the links of its
 * environment that were deleted, the oldest beyond `KEPT_DELETED_LINKS` are forgotten.
 */
export async function removeShareLink(tx: Db, { id, environmentId }: ShareLinkRow, now: Date): Promise<void> {
  const data = { deletedAt: now, code: null, passwordHash: null };
  await tx.shareLink.update({ where: { id }, data, select: { id: true } });
  await queryRows(
    tx,
    sql`
      DELETE FROM "ShareLink" WHERE "id" IN (
        SELECT l."id" FROM "ShareLink" l WHERE l."environmentId" = ${environmentId}::uuid AND l."deletedAt" IS NOT NULL
        ORDER BY l."deletedAt" DESC, l."id" DESC OFFSET ${KEPT_DELETED_LINKS}::int
        FOR UPDATE SKIP LOCKED
      )`,
  );
}

/** One page of the links of environments or of one of their releases. */
export async function listShareLinks(
  from: Db,
  input: z.output<typeof getShareLinksInput>,
  environmentIds: readonly string[],
): Promise<{ rows: ShareLinkRow[]; nextCursor: string | null; total: number }> {
  const { releaseId, search } = input;
  const { field, descending, after } = pagePosition(input);
  const key = field === "name" ? sql`l."name"` : sql`l."createdAt"`;
  const direction = raw(descending ? "DESC" : "ASC");
  const wanted = join(
    [
      sql`l."environmentId" = ANY (${environmentIds}::uuid[])`,
      ...(releaseId === undefined ? [] : [sql`l."releaseId" = ${releaseId}::uuid`]),
      ...(search ? [sql`l."name" ILIKE ${`%${likeText(search)}%`}`] : []),
    ],
    " AND ",
  );
  const beyond = after && sql`(${key}, l."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`;
  const [rows, [counted]] = await Promise.all([
    readShareLinks(
      from,
      beyond ? sql`${wanted} AND ${beyond}` : wanted,
      sql`ORDER BY ${key} ${direction}, l."id" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number }>(
      from,
      sql`SELECT count(*)::int AS "total" FROM "ShareLink" l WHERE l."deletedAt" IS NULL AND ${wanted}`,
    ),
  ]);
  return { ...toPage(rows, input), total: counted?.total ?? 0 };
}

/** A link as its visitors' requests need it. */
export interface VisitedLink extends LinkState {
  id: string;
  /** The SHA-256 of its code, in hexadecimal. */
  hash: string;
  createdAt: Date;
  appId: string;
  environmentId: string;
  platformId: string | null;
  passwordHash: string | null;
  onlyPhones: boolean;
  showNotes: boolean;
  isDeleted: boolean;
  /** The name of the console. */
  operator: string;
}

/** A link with the releases that it opens: the files of one build, its own first, or the latest release of each platform. */
export interface LinkWithReleases {
  link: VisitedLink;
  releases: ReleaseRow[];
}

/** The files of the builds of some releases, newest first. */
async function filesOfBuilds(releaseIds: readonly string[]): Promise<ReleaseRow[]> {
  if (releaseIds.length === 0) return [];
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (SELECT DISTINCT p."buildId" FROM "Release" p WHERE p."id" = ANY (${releaseIds}::uuid[])) b
      CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE r."buildId" = b."buildId" ORDER BY ${NEWEST_FIRST} LIMIT ${raw(String(FILES_OF_BUILD))}
      ) r
      UNION SELECT r.* FROM "Release" r WHERE r."id" = ANY (${releaseIds}::uuid[])`,
    { prepared: true },
  );
  return rows;
}

/** A release before the other files of its build. */
function withSiblings(rows: readonly ReleaseRow[], releaseId: string | null): ReleaseRow[] {
  const own = rows.find(({ id }) => id === releaseId);
  if (!own) return [];
  return [own, ...rows.filter(({ id, buildId }) => buildId === own.buildId && id !== own.id)];
}

/** The files of the builds of pinned links, and the latest releases of the environments of the others. */
async function releasesOf(links: readonly VisitedLink[]): Promise<Map<VisitedLink, ReleaseRow[]>> {
  const ids = links.flatMap(({ releaseId }) => releaseId ?? []);
  const environmentIds = links.flatMap(({ followsLatest, environmentId }) => (followsLatest ? environmentId : []));
  const [pinned, latest] = await Promise.all([
    filesOfBuilds(ids),
    latestReleasesByPlatform(
      db,
      [...new Set(environmentIds)].map((id) => ({ id })),
    ),
  ]);
  return new Map(
    links.map((link) => [
      link,
      link.followsLatest
        ? latest.filter(
            ({ environmentId, platformId }) =>
              environmentId === link.environmentId && (link.platformId ?? platformId) === platformId,
          )
        : withSiblings(pinned, link.releaseId),
    ]),
  );
}

interface Visit {
  hash: string;
  found: LinkWithReleases | null;
}

/**
 * Reads the links of visitors who come at the same time by two statements. Each visitor gets what the database has after they came.
 */
async function readVisited(visits: readonly Visit[]): Promise<void> {
  const hashes = [...new Set(visits.map(({ hash }) => hash))];
  const links = await queryRows<VisitedLink>(
    db,
    sql`
      SELECT encode(l."codeHash", 'hex') AS "hash", l."id", e."appId", l."environmentId", l."releaseId", l."followsLatest", l."platformId",
        l."passwordHash", l."expiresAt", l."maxInstalls", l."installCount", l."onlyPhones", l."showNotes", l."createdAt",
        (SELECT "name" FROM "AppConfig" WHERE "id" = 1) AS "operator", l."deletedAt" IS NOT NULL AS "isDeleted", e."status" = 'active' AND a."status" = 'active' AS "active"
      FROM "ShareLink" l JOIN "Environment" e ON e."id" = l."environmentId" JOIN "App" a ON a."id" = e."appId"
      WHERE l."codeHash" = ANY (ARRAY(SELECT decode(h, 'hex') FROM unnest(${hashes}::text[]) h))`,
    { prepared: true },
  );
  const releases = await releasesOf(links);
  const found = new Map(links.map((link) => [link.hash, { link, releases: releases.get(link) ?? [] }]));
  for (const visit of visits) visit.found = found.get(visit.hash) ?? null;
}

const visits = processSingleton("share-link-visits", () => new Batches<Visit>(readVisited));

/** Finds the link of a code, also one that has ended; null if there never was one. */
export async function findLinkByCode(code: string): Promise<LinkWithReleases | null> {
  const visit: Visit = { hash: Buffer.from(hashOfCode(code)).toString("hex"), found: null };
  await visits.get().add(visit);
  return visit.found;
}

/**
 * The release with an ID that a link opens in the browser of a request.
 * @throws ApiError not_found, link_ended, password_required
 */
export async function releaseOfLink(code: string, id: string, request: RequestFacts): Promise<ReleaseRow> {
  const found = await findLinkByCode(code);
  if (!found) throw new ApiError("not_found", { detailKey: "detailLink" });
  if (found.link.isDeleted || linkEnd(found.link, request.now) !== null) throw new ApiError("link_ended");
  if (!(await isUnlocked(found.link, request))) throw new ApiError("password_required");
  const release = found.releases.find((one) => one.id === id);
  if (!release) throw new ApiError("not_found", { detailKey: "detailLink" });
  return release;
}

interface Opening {
  linkId: string;
  releaseId: string | null;
  device: "ios" | "ipados" | "android" | "desktop";
  osVersion: string | null;
  at: Date;
}

const openings = processSingleton("share-link-openings", () => new Batches<Opening>(recordOpenings));

/** Counts openings of links, and records them as openings of their releases. */
async function recordOpenings(items: readonly Opening[]): Promise<void> {
  for (const [linkId, ofLink] of Map.groupBy(items, (item) => item.linkId)) {
    await queryRows(
      db,
      sql`UPDATE "ShareLink" SET "openCount" = "openCount" + ${ofLink.length}::int WHERE "id" = ${linkId}::uuid`,
      { prepared: true },
    );
  }
  const byDevice = new Map(items.map((item) => [`${item.releaseId} ${item.device}`, item]));
  for (const { releaseId, ...opening } of byDevice.values()) {
    if (releaseId !== null) await recordOpening(db, { ...opening, releaseId });
  }
}

/** Counts an opening of a link. Those of many people at once occupy one connection. */
export function countOpening(opening: Opening): Promise<void> {
  return openings.get().add(opening);
}

/**
 * The last published release of a version and build that a link to the latest releases has opened: of those published since it was
 * made, and of the latest of each platform at that moment. Null if there is none.
 */
export async function earlierRelease(
  from: Db,
  { environmentId, platformId, createdAt }: Pick<VisitedLink, "environmentId" | "platformId" | "createdAt">,
  { version, buildNumber }: { version: string; buildNumber: string },
): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(
    from,
    sql`
      SELECT tried."id" FROM "Release" tried
      WHERE tried."environmentId" = ${environmentId}::uuid AND tried."version" = ${version}
        AND tried."buildNumber" = ${buildNumber} AND (${platformId}::uuid IS NULL OR tried."platformId" = ${platformId}::uuid)
        AND (tried."deployDate" > ${createdAt}::timestamptz OR (tried."version", tried."buildNumber") = (
          SELECT r."version", r."buildNumber" FROM "Release" r
          WHERE r."environmentId" = tried."environmentId" AND r."platformId" = tried."platformId"
            AND r."deployDate" <= ${createdAt}::timestamptz
          ORDER BY ${LATEST_FIRST} LIMIT 1))
      ORDER BY tried."deployDate" DESC, tried."id" DESC LIMIT 1`,
  );
  return row?.id ?? null;
}

/** Counts an installation of a link that still allows one, as a condition of `issueTokenIf`. */
export function countedInstall(linkId: string, now: Date): Sql {
  return sql`
    UPDATE "ShareLink" SET "installCount" = "installCount" + 1
    WHERE "id" = ${linkId}::uuid AND "deletedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
      AND ("maxInstalls" IS NULL OR "installCount" < "maxInstalls")
    RETURNING 1`;
}
