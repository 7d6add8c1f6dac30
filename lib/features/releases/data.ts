import "server-only";
import { type InstallerDetails, installerDetailsSchema } from "@slipway/installers";
import type { z } from "zod";
import {
  countedTotal,
  DEFAULT_LIMIT,
  found,
  type ListTotal,
  likeText,
  MAX_COUNTED,
  MAX_FOUND,
  pagePosition,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, type JsonRow, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { visibleEnvironments } from "@/lib/features/environments/data";
import { platformLogoUrl } from "@/lib/features/platforms/data";
import { hashToken, randomToken } from "@/lib/kernel/crypto/tokens";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import type { Actor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { environmentsWithin, type Reach } from "@/lib/permissions/reach";
import type { Comparable } from "./internal/release-changes";
import type { getTestingDeploysByAppInput, getTestingDeploysInput, Release } from "./schema";

/** Prisma's code. */
const FOREIGN_KEY_VIOLATION = "P2003";

const shown = {
  environment: {
    select: {
      id: true,
      name: true,
      status: true,
      app: { select: { id: true, name: true, identifier: true, status: true } },
    },
  },
  platform: { select: { id: true, name: true, kind: true, logoFileId: true } },
  file: { select: { name: true, size: true, sha256: true, storageKey: true } },
  iconFile: { select: { storageKey: true } },
  user: { select: { id: true, firstNames: true, lastNames: true } },
  token: { select: { id: true, name: true } },
} satisfies Prisma.ReleaseInclude;

export type ReleaseRow = Prisma.ReleaseGetPayload<{ include: typeof shown }>;

function detailsOf(row: Pick<ReleaseRow, "installer">): InstallerDetails {
  return installerDetailsSchema.parse(row.installer);
}

/** What of a release's row the API shows. */
interface ShownRow extends Omit<ReleaseRow, keyof typeof shown | "updatedAt"> {
  environment: { id: string; name: string; app: { id: string; name: string; identifier: string } };
  platform: ReleaseRow["platform"];
  file: { name: string; size: number | bigint; sha256: string | null };
  user: ReleaseRow["user"];
  token: ReleaseRow["token"];
}

function creatorOf({ user, token }: ShownRow): Release["createdBy"] {
  if (user) return { kind: "user", id: user.id, name: `${user.firstNames} ${user.lastNames}` };
  return token && { kind: "token", id: token.id, name: token.name };
}

/** A release's row as the API shows it. */
export function toRelease(row: ShownRow): Release {
  const { environment, platform, file } = row;
  const { id, name, identifier } = environment.app;
  return {
    id: row.id,
    app: { id, name, identifier },
    environment: { id: environment.id, name: environment.name },
    platform: { id: platform.id, name: platform.name, kind: platform.kind, logoUrl: platformLogoUrl(platform) },
    version: row.version,
    buildNumber: row.buildNumber,
    identifier: row.identifier,
    displayName: row.displayName,
    description: row.description,
    iosEnabled: row.iosEnabled,
    fileName: row.fileName ?? file.name,
    size: Number(file.size),
    sha256: file.sha256 as string,
    iconUrl: row.iconFileId && fileUrl(row.iconFileId),
    minOs: row.minOs,
    deployDate: row.deployDate.toISOString(),
    createdBy: creatorOf(row),
    // What an operation answers is parsed by its schema, these two with it.
    metadata: row.metadata as Release["metadata"],
    installer: row.installer as Release["installer"],
    downloads: row.downloadCount,
    installUrl: `${env.APP_URL}/releases?id=${row.id}`,
  };
}

/** A release's row as it is compared with others. */
export function toComparable(row: ReleaseRow): Comparable {
  const { id, version, buildNumber, deployDate, minOs } = row;
  return { id, version, buildNumber, deployDate, minOs, size: Number(row.file.size), installer: detailsOf(row) };
}

/** Whether iPhones and iPads may install a release from the console. */
export function installsOnApple(row: ReleaseRow): boolean {
  return row.iosEnabled && detailsOf(row).kind === "ipa";
}

/** A release as what a call acts on, with its row. */
export interface ReleaseTarget extends Target {
  environmentId: string;
  release: ReleaseRow;
}

/** Loads a release as the target of a call; null where there is none. It is active where its app and environment are. */
export async function releaseTarget(db: Db, id: string): Promise<ReleaseTarget | null> {
  const release = await db.release.findUnique({ where: { id }, include: shown });
  if (!release) return null;
  const { environment } = release;
  return {
    appId: environment.app.id,
    environmentId: environment.id,
    active: environment.status === "active" && environment.app.status === "active",
    release,
  };
}

type Filters = Omit<z.output<typeof getTestingDeploysInput>, "environmentId">;

/** What a list leaves of an environment's releases, as conditions on `r`. */
function conditions({ platformId, from, to, version, search }: Filters): Sql[] {
  const like = search && `%${likeText(search)}%`;
  const searched = sql`(r."version" ILIKE ${like} OR r."buildNumber" ILIKE ${like} OR r."displayName" ILIKE ${like}
    OR r."description" ILIKE ${like} OR r."fileName" ILIKE ${like})`;
  return [
    ...(platformId ? [sql`r."platformId" = ${platformId}::uuid`] : []),
    ...(version === undefined ? [] : [sql`r."version" = ${version}`]),
    ...(from ? [sql`r."deployDate" >= ${from}`] : []),
    ...(to ? [sql`r."deployDate" <= ${to}`] : []),
    ...(like ? [searched] : []),
  ];
}

/** A page of a list with one row more, what belongs to its rows, and the total where the database keeps that. */
interface PageRow {
  releases: JsonRow<Omit<ShownRow, keyof typeof shown>>[] | null;
  environments: ShownRow["environment"][] | null;
  platforms: ShownRow["platform"][] | null;
  files: (ShownRow["file"] & { id: string })[] | null;
  users: NonNullable<ShownRow["user"]>[] | null;
  tokens: NonNullable<ShownRow["token"]>[] | null;
  total: number | null;
}

/** The releases of a page, each with what belongs to it. */
function joined(page: PageRow): ShownRow[] {
  const byId = <Row extends { id: string }>(rows: Row[] | null) => new Map(rows?.map((row) => [row.id, row]));
  const environments = byId(page.environments);
  const platforms = byId(page.platforms);
  const files = byId(page.files);
  const users = byId(page.users);
  const tokens = byId(page.tokens);
  return (page.releases ?? []).map((release) => ({
    ...release,
    deployDate: new Date(release.deployDate),
    environment: environments.get(release.environmentId) as ShownRow["environment"],
    platform: platforms.get(release.platformId) as ShownRow["platform"],
    file: files.get(release.fileId) as ShownRow["file"],
    user: users.get(release.createdByUser ?? "") ?? null,
    token: tokens.get(release.createdByToken ?? "") ?? null,
  }));
}

/**
 * One page of the releases of some environments, in one query: of each environment the first rows in the order of its
 * index, and of these the first, so that neither the number of releases nor of pages before matters. What belongs to
 * them is looked up by its key, once for all that share it.
 * @param environmentIds at least one
 */
async function readPage(
  db: Db,
  environmentIds: readonly string[],
  input: Filters,
): Promise<{ rows: ShownRow[]; total: number | null }> {
  const { descending, after } = pagePosition(input);
  const order = raw(descending ? `r."deployDate" DESC, r."id" DESC` : `r."deployDate" ASC, r."id" ASC`);
  const beyond =
    after && sql`(r."deployDate", r."id") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`;
  const wanted = [sql`r."environmentId" = e."id"`, ...conditions(input), ...(beyond ? [beyond] : [])];
  const narrowed = isNarrowed(input);
  // The number of environments and of rows stand in the text: PostgreSQL keeps a plan only where it can tell from it
  // how much will be read.
  const environments = join(environmentIds.map((id) => sql`(${id}::uuid)`));
  const take = raw(String(input.limit + 1));
  // Arrays, not joins or IN: whatever PostgreSQL takes the tables' sizes to be, it has one way to go.
  const [page] = await queryRows<PageRow>(
    db,
    sql`
      WITH page AS MATERIALIZED (
        SELECT r.* FROM (VALUES ${environments}) AS e("id") CROSS JOIN LATERAL (
          SELECT r.* FROM "Release" r WHERE ${join(wanted, " AND ")} ORDER BY ${order} LIMIT ${take}
        ) r ORDER BY ${order} LIMIT ${take}
      )
      SELECT ${narrowed ? sql`NULL` : keptTotal(environmentIds, input)} AS "total",
        (SELECT json_agg(r ORDER BY ${order}) FROM page r) AS "releases",
        (SELECT json_agg(found) FROM (
          SELECT e."id", e."name", json_build_object('id', a."id", 'name', a."name", 'identifier', a."identifier") AS "app"
          FROM "Environment" e JOIN "App" a ON a."id" = e."appId" WHERE e."id" = ANY (ARRAY(SELECT "environmentId" FROM page))
        ) found) AS "environments",
        (SELECT json_agg(found) FROM (
          SELECT "id", "name", "kind", "logoFileId" FROM "Platform" WHERE "id" = ANY (ARRAY(SELECT "platformId" FROM page))
        ) found) AS "platforms",
        (SELECT json_agg(found) FROM (
          SELECT "id", "name", "size", "sha256" FROM "File" WHERE "id" = ANY (ARRAY(SELECT "fileId" FROM page))
        ) found) AS "files",
        (SELECT json_agg(found) FROM (
          SELECT "id", "firstNames", "lastNames" FROM "User" WHERE "id" = ANY (ARRAY(SELECT "createdByUser" FROM page))
        ) found) AS "users",
        (SELECT json_agg(found) FROM (
          SELECT "id", "name" FROM "ApiToken" WHERE "id" = ANY (ARRAY(SELECT "createdByToken" FROM page))
        ) found) AS "tokens"`,
    { prepared: !narrowed && input.limit === DEFAULT_LIMIT },
  );
  return page ? { rows: joined(page), total: page.total } : { rows: [], total: null };
}

/** Whether a list leaves out more than whole platforms. */
function isNarrowed({ version, from, to, search }: Filters): boolean {
  return version !== undefined || Boolean(from || to || search);
}

/** How many releases some environments have, by platform or over all; the database keeps these numbers. */
function keptTotal(environmentIds: readonly string[], { platformId }: Filters): Sql {
  const ofPlatform = platformId ? sql`AND "platformId" = ${platformId}::uuid` : empty;
  return sql`(SELECT coalesce(sum("change"), 0)::float8 FROM "ReleaseCount"
    WHERE "environmentId" = ANY(${environmentIds}::uuid[]) ${ofPlatform})`;
}

/** How many releases of some environments a list's conditions leave, as far as lists count. */
function countReleases(db: Db, environmentIds: readonly string[], input: Filters): Promise<ListTotal> {
  const wanted = [sql`r."environmentId" = ANY(${environmentIds}::uuid[])`, ...conditions(input)];
  return countedTotal(input.search ? MAX_FOUND : MAX_COUNTED, async (take) => {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`SELECT count(*)::int AS "count" FROM (
        SELECT 1 FROM "Release" r WHERE ${join(wanted, " AND ")} LIMIT ${take}
      ) counted`,
    );
    return row?.count ?? 0;
  });
}

async function page(db: Db, environmentIds: readonly string[], input: Filters) {
  if (environmentIds.length === 0) return { rows: [], nextCursor: null, total: 0 };
  const [{ rows, total }, counted] = await Promise.all([
    readPage(db, environmentIds, input),
    isNarrowed(input) ? countReleases(db, environmentIds, input) : null,
  ]);
  return { ...toPage(rows, input), ...(counted ?? { total: total ?? 0 }) };
}

/** The releases of one environment. */
export function listReleases(db: Db, input: z.output<typeof getTestingDeploysInput>) {
  return page(db, [input.environmentId], input);
}

/**
 * The releases in those environments of an app that a caller may see.
 * @param reach where the caller reads releases, and where they see what is switched off
 */
export async function listReadableReleases(
  db: Db,
  reach: { readable: Reach; writable: Reach },
  input: z.output<typeof getTestingDeploysByAppInput>,
) {
  const { readable, writable } = reach;
  const visible = visibleEnvironments(readable, writable);
  const environments = await db.environment.findMany({
    where: { AND: [{ appId: input.appId }, environmentsWithin(readable), visible] },
    select: { id: true },
  });
  return page(
    db,
    environments.map(({ id }) => id),
    input,
  );
}

/** The release before another one: of the same app, platform and kind of installer in its environment. */
export function previousRelease(db: Db, release: ReleaseRow): Promise<ReleaseRow | null> {
  const { environmentId, platformId, identifier, deployDate, id } = release;
  return db.release.findFirst({
    where: {
      environmentId,
      platformId,
      identifier,
      installer: { path: ["kind"], equals: detailsOf(release).kind },
      deployDate: { lte: deployDate },
      OR: [{ deployDate: { lt: deployDate } }, { id: { lt: id } }],
    },
    orderBy: [{ deployDate: "desc" }, { id: "desc" }],
    include: shown,
  });
}

/** The release that some bytes were published as in an environment. */
export function findReleaseOfBytes(db: Db, environmentId: string, sha256: string): Promise<ReleaseRow | null> {
  return db.release.findFirst({
    where: { environmentId, file: { sha256 } },
    orderBy: [{ deployDate: "asc" }, { id: "asc" }],
    include: shown,
  });
}

/** Makes whoever publishes the same bytes in the same environment wait until this transaction has ended. */
export async function lockBytes(tx: Db, environmentId: string, sha256: string): Promise<void> {
  const key = `release:${environmentId}:${sha256}`;
  await lockUntilCommit(tx, key);
}

/** @throws ApiError not_found where its environment or platform was deleted after it had been looked up */
export function createRelease(tx: Db, data: Prisma.ReleaseUncheckedCreateInput): Promise<ReleaseRow> {
  return tx.release.create({ data, include: shown }).catch((error) => {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === FOREIGN_KEY_VIOLATION) {
      throw new ApiError("not_found", { cause: error });
    }
    throw error;
  });
}

/**
 * Loads a release's row, which nobody else changes or deletes until the transaction ends.
 * @throws ApiError not_found
 */
export async function lockRelease(tx: Db, id: string): Promise<ReleaseRow> {
  await lockRow(tx, "Release", id);
  return found(await tx.release.findUnique({ where: { id }, include: shown }));
}

export function updateRelease(db: Db, id: string, data: Prisma.ReleaseUncheckedUpdateInput): Promise<ReleaseRow> {
  return db.release.update({ where: { id }, data, include: shown });
}

export async function deleteRelease(db: Db, id: string): Promise<void> {
  await db.release.delete({ where: { id } });
}

/** Which of two columns says who published a release. */
export function creatorColumns(actor: Actor): { createdByUser?: string; createdByToken?: string } {
  if (actor.kind === "user") return { createdByUser: actor.userId };
  return actor.kind === "token" ? { createdByToken: actor.tokenId } : {};
}

/** Counts one download; of a release that was deleted after it had begun, none. */
export async function recordDownload(
  db: Db,
  download: {
    releaseId: string;
    userId: string | null;
    byLink: boolean;
    userAgent: string | null;
    kind: "install" | "download";
    at: Date;
  },
): Promise<void> {
  const { releaseId, at, userId, byLink, userAgent, kind } = download;
  await queryRows(
    db,
    sql`
      WITH counted AS (
        UPDATE "Release" SET "downloadCount" = "downloadCount" + 1 WHERE "id" = ${releaseId}::uuid RETURNING "id"
      )
      INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "userId", "byLink", "userAgent", "kind")
      SELECT ${newId()}::uuid, "id", ${at}, ${userId}::uuid, ${byLink}, ${userAgent}, ${kind}::"DownloadKind" FROM counted`,
  );
}

const MANIFEST_PURPOSE = "manifest";
/** Long enough to answer the question on the phone and to wait for a slow network. */
const MANIFEST_MS = 15 * 60_000;

/** A new token that opens one release's installer to an iPhone or iPad, as often as it asks for 15 minutes. */
export async function newManifestToken(
  tx: Db,
  releaseId: string,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + MANIFEST_MS);
  await tx.oneTimeToken.create({
    data: {
      id: newId(),
      purpose: MANIFEST_PURPOSE,
      subject: releaseId,
      hash: hashToken(token),
      createdAt: now,
      expiresAt,
    },
  });
  return { token, expiresAt };
}

/** What a manifest token opens; null where there is no such token. */
export async function findManifestToken(db: Db, token: string): Promise<{ releaseId: string; expiresAt: Date } | null> {
  const row = await db.oneTimeToken.findUnique({ where: { hash: hashToken(token) } });
  return row?.purpose === MANIFEST_PURPOSE ? { releaseId: row.subject, expiresAt: row.expiresAt } : null;
}
