import "server-only";
import { type InstallerDetails, installerDetailsSchema } from "@slipway/installers";
import type { z } from "zod";
import {
  cappedCount,
  cursorAfter,
  DEFAULT_LIMIT,
  FILTERED_COUNT_CAP,
  type ListTotal,
  likeText,
  orNotFound,
  pagePosition,
  SEARCH_COUNT_CAP,
  toPage,
} from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { type PlatformKind, Prisma, type Status } from "@/lib/db/generated/client";
import { lockRow, lockUntilCommit } from "@/lib/db/locks";
import { empty, type JsonRow, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { platformLogoUrl } from "@/lib/features/platforms/data";
import { env } from "@/lib/kernel/env";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { safeFileName } from "@/lib/kernel/file-name";
import { newId } from "@/lib/kernel/ids";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { AuthenticatedActor } from "@/lib/permissions/actor";
import type { Target } from "@/lib/permissions/authorize";
import { environmentWhere, type Sight } from "@/lib/permissions/visibility";
import { keepRelease, keptRelease } from "./internal/kept-releases";
import type { Comparable } from "./internal/release-changes";
import { hasCurrentNotes, NOTES_VERSION, renderedNotes } from "./internal/release-notes";
import type { getTestingDeploysInput, Release, ReleaseOpening } from "./schema";

/** Prisma's code. */
const FOREIGN_KEY_VIOLATION = "P2003";

/** A release with its related rows, as `readReleases` loads it. */
export interface ReleaseRow extends Omit<Prisma.ReleaseGetPayload<object>, "size"> {
  /** Bytes. */
  size: number;
  environment: {
    id: string;
    name: string;
    status: Status;
    app: { id: string; name: string; identifier: string; status: Status };
  };
  platform: { id: string; name: string; kind: PlatformKind; logoFileId: string | null };
  /** `size` in bytes. */
  file: { name: string; size: number; sha256: string | null; storageKey: string };
  iconFile: { storageKey: string } | null;
  user: { id: string; firstNames: string; lastNames: string; avatarFileId: string | null } | null;
  token: { id: string; name: string } | null;
}

function detailsOf(row: Pick<ReleaseRow, "installer">): InstallerDetails {
  return installerDetailsSchema.parse(row.installer);
}

function creatorOf({ user, token }: ReleaseRow): Release["createdBy"] {
  if (user) {
    const { id, firstNames, lastNames, avatarFileId } = user;
    return { kind: "user", id, name: `${firstNames} ${lastNames}`, avatarUrl: avatarFileId && fileUrl(avatarFileId) };
  }
  return token && { kind: "token", id: token.id, name: token.name, avatarUrl: null };
}

/** The console's page from which a release is installed. */
export function installUrl(id: string): string {
  return `${env.APP_URL}${PAGES.releases}?id=${id}`;
}

/** A release's row as the API shows it. */
export function toRelease(row: ReleaseRow): Release {
  const { environment, platform, file } = row;
  // The operation's output schema parses it.
  const installer = row.installer as Release["installer"];
  const { id, name, identifier } = environment.app;
  const { descriptionHtml, descriptionSummary } = hasCurrentNotes(row) ? row : renderedNotes(row.description);
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
    descriptionHtml,
    descriptionSummary,
    iosEnabled: row.iosEnabled,
    mandatory: row.mandatory,
    fileName: safeFileName(row.fileName ?? file.name, [installer.kind]),
    size: file.size,
    sha256: file.sha256 as string,
    iconUrl: row.iconFileId && fileUrl(row.iconFileId),
    minOs: row.minOs,
    deployDate: row.deployDate.toISOString(),
    createdBy: creatorOf(row),
    configurationVersion: row.configurationVersion,
    // The operation's output schema parses it.
    metadata: row.metadata as Release["metadata"],
    installer,
    downloads: row.downloadCount,
    installUrl: installUrl(row.id),
    qrUrl: `${env.APP_URL}/api/apps/download-testing-deploy-qr-code?id=${row.id}`,
  };
}

/** The summary of the notes of `r` as its row keeps it, and otherwise the notes; see `summaryOf`. */
export const SUMMARY = sql`CASE WHEN r."notesVersion" = ${NOTES_VERSION} THEN r."descriptionSummary" END AS "keptSummary",
  left(r."description", 1000) AS "description"`;

/** The first line of release notes as plain text, of columns that `SUMMARY` selects. */
export function summaryOf({ keptSummary, description }: { keptSummary: string | null; description: string }): string {
  return keptSummary ?? renderedNotes(description).descriptionSummary;
}

/** The part of a release that is compared with another one. */
export function toComparable(row: ReleaseRow): Comparable {
  const { id, version, buildNumber, deployDate, minOs } = row;
  return { id, version, buildNumber, deployDate, minOs, size: row.file.size, installer: detailsOf(row) };
}

/** Whether iPhones and iPads may install a release from the console. */
export function installsOnApple(row: ReleaseRow): boolean {
  return row.iosEnabled && detailsOf(row).kind === "ipa";
}

/** A release as the target of a call, with its row. */
interface ReleaseTarget extends Target {
  environmentId: string;
  release: ReleaseRow;
}

/** Loads a release as the target of a call, active if its app and environment are; null if it does not exist. */
export async function releaseTarget(db: Db, id: string): Promise<ReleaseTarget | null> {
  const release = await findRelease(db, sql`SELECT r.* FROM "Release" r WHERE r."id" = ${id}::uuid`);
  if (!release) return null;
  const { environment } = release;
  return {
    appId: environment.app.id,
    environmentId: environment.id,
    active: environment.status === "active" && environment.app.status === "active",
    release,
  };
}

export type ReleaseFilters = Omit<z.output<typeof getTestingDeploysInput>, "environmentId">;

/** The filters of a list as conditions on `r`. */
function conditions({ platformId, from, to, version, search }: ReleaseFilters): Sql[] {
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

/** Rows to which a release refers: `t`, and what is read with it. */
interface Related {
  rows: Sql;
  columns: Sql;
  /** Changes with each change of the rows: PostgreSQL then gives a row another `xmin`. */
  version: Sql;
  /** The columns of a release that refer to `t`, each with the property of `ReleaseRow` that has its row. */
  properties: Readonly<Record<string, keyof ReleaseRow>>;
}

const related = (table: string, columns: string[], properties: Related["properties"]): Related => ({
  rows: sql`${raw(`"${table}"`)} t`,
  columns: raw(["id", ...columns].map((column) => `t."${column}"`).join(", ")),
  version: sql`t.xmin::text`,
  properties,
});

/** What a release is made of besides its own row. A change of any of these rows changes the release. */
const RELATED = {
  environments: {
    rows: sql`"Environment" t JOIN "App" a ON a."id" = t."appId"`,
    columns: sql`t."id", t."name", t."status",
      json_build_object('id', a."id", 'name', a."name", 'identifier', a."identifier", 'status', a."status") AS "app"`,
    version: sql`t.xmin::text || ' ' || a.xmin::text`,
    properties: { environmentId: "environment" },
  },
  platforms: related("Platform", ["name", "kind", "logoFileId"], { platformId: "platform" }),
  files: related("File", ["name", "size", "sha256", "storageKey"], { fileId: "file", iconFileId: "iconFile" }),
  users: related("User", ["firstNames", "lastNames", "avatarFileId"], { createdByUser: "user" }),
  tokens: related("ApiToken", ["name"], { createdByToken: "token" }),
} satisfies Record<string, Related>;

type RelatedKind = keyof typeof RELATED;
const RELATED_KINDS = Object.keys(RELATED) as RelatedKind[];

/** The references of a release, each with the kind of row and the property that has the row. */
const REFERENCES = RELATED_KINDS.flatMap((kind) =>
  Object.entries(RELATED[kind].properties).map(([column, property]) => ({ kind, column, property })),
);
const REFERENCE_COLUMNS = raw(REFERENCES.map(({ column }) => `r."${column}"`).join(", "));

/** For each kind of related rows, a value about those to which the releases of `page` refer, as columns of a SELECT. */
const ofRelated = (value: (related: Related) => { aggregate: Sql; columns: Sql }): Sql =>
  join(
    RELATED_KINDS.map((kind) => {
      const { aggregate, columns } = value(RELATED[kind]);
      const ids = Object.keys(RELATED[kind].properties).map((column) => `SELECT "${column}" FROM page`);
      // Arrays, not joins or IN: PostgreSQL then looks up each row by its key, even if its table statistics are wrong.
      return sql`(SELECT ${aggregate} FROM (SELECT ${columns} FROM ${RELATED[kind].rows}
        WHERE t."id" = ANY (ARRAY(${raw(ids.join(" UNION ALL "))}))) t) AS ${raw(`"${kind}"`)}`;
    }),
  );
const RELATED_ROWS = ofRelated(({ columns }) => ({ aggregate: sql`json_agg(t)`, columns }));
const RELATED_VERSIONS = ofRelated(({ version }) => ({
  aggregate: sql`json_object_agg("id", "version")`,
  columns: sql`t."id", ${version} AS "version"`,
}));

/** Releases and their related rows. A row that several releases share occurs once. */
type LoadedRows = { [Kind in RelatedKind]: { id: string }[] | null } & {
  releases: (JsonRow<Omit<Prisma.ReleaseGetPayload<object>, "size">> & { size: number })[] | null;
};

function assemble({ releases, ...related }: LoadedRows): ReleaseRow[] {
  const rows = new Map(Object.values(related).flatMap((list) => (list ?? []).map((row) => [row.id, row])));
  return (releases ?? []).map((release) => {
    const ids = release as unknown as Record<string, string | null>;
    return {
      ...release,
      deployDate: new Date(release.deployDate),
      updatedAt: new Date(release.updatedAt),
      ...Object.fromEntries(REFERENCES.map(({ column, property }) => [property, rows.get(ids[column] ?? "") ?? null])),
    } as ReleaseRow;
  });
}

/** The order of publication. */
const NEWEST_FIRST = sql`r."deployDate" DESC, r."id" DESC`;

/** Whether devices install `r`; an app bundle is for stores. */
const INSTALLS_ON_DEVICES = sql`(r."installer"->>'kind' IS DISTINCT FROM 'aab')`;

/**
 * The order that decides which of the releases `r` is the latest: installers that devices take before app bundles, then the highest
 * version by `version_order`, then the highest build number, then the last publication. `Release_latest_idx` has this order for each
 * platform of an environment.
 */
export const LATEST_FIRST = sql`${INSTALLS_ON_DEVICES} DESC, version_order(r."version") DESC, version_order(r."buildNumber") DESC,
  ${NEWEST_FIRST}`;

/**
 * Loads releases and their related rows by one statement, so that a release that is deleted at the same moment is
 * either whole or missing.
 *
 * @param releases selects the rows of "Release"
 * @param options.order on `r`
 * @param options.scalar is read in the same statement
 */
async function readReleases<Scalar = null>(
  from: Db,
  releases: Sql,
  {
    order = NEWEST_FIRST,
    scalar = sql`NULL`,
    prepared = false,
  }: { order?: Sql; scalar?: Sql; prepared?: boolean } = {},
): Promise<{ rows: ReleaseRow[]; scalar: Scalar | null }> {
  const [loaded] = await queryRows<LoadedRows & { scalar: Scalar }>(
    from,
    sql`
      WITH page AS MATERIALIZED (${releases})
      SELECT ${scalar} AS "scalar", (SELECT json_agg(r ORDER BY ${order}) FROM page r) AS "releases", ${RELATED_ROWS}`,
    { prepared },
  );
  const { scalar: read, ...rows } = loaded as NonNullable<typeof loaded>;
  return { rows: assemble(rows), scalar: read };
}

/** The release that a statement selects, or null. */
async function findRelease(from: Db, release: Sql): Promise<ReleaseRow | null> {
  const { rows } = await readReleases(from, release, { prepared: true });
  return rows[0] ?? null;
}

type CursorValue = string | Date | null;

/** A size in a cursor, in bytes. */
const SIZE = /^\d{1,15}$/;

/** What the releases are ordered by, each with an index of the environment, and the value of a cursor as such a key. */
const SORT_KEYS = {
  deployDate: { key: sql`r."deployDate"`, toKey: (value: CursorValue) => sql`${value}` },
  version: {
    key: sql`version_order(r."version")`,
    toKey: (value: CursorValue) => sql`version_order(${value}::text)`,
  },
  size: {
    key: sql`r."size"`,
    toKey: (value: CursorValue) => {
      if (!SIZE.test(String(value))) throw invalidField("cursor", "cursor");
      return sql`${value}::bigint`;
    },
  },
};

/**
 * Selects one page of the releases of some environments. It reads the first rows of each environment in index order and keeps the
 * first of those, so its cost does not depend on the number of releases or of earlier pages.
 * @param environmentIds at least one
 * @param columns of `r`
 */
function pageOf(environmentIds: readonly string[], input: ReleaseFilters, columns: Sql): { page: Sql; order: Sql } {
  const { field, descending, after } = pagePosition(input);
  const { key, toKey } = SORT_KEYS[field as keyof typeof SORT_KEYS];
  const direction = raw(descending ? "DESC" : "ASC");
  const order = sql`${key} ${direction}, r."id" ${direction}`;
  const beyond =
    after && sql`(${key}, r."id") ${raw(descending ? "<" : ">")} (${toKey(after.value)}, ${after.id}::uuid)`;
  const wanted = [sql`r."environmentId" = e."id"`, ...conditions(input), ...(beyond ? [beyond] : [])];
  // The number of environments and the limit are part of the text: PostgreSQL reuses a generic plan only if its estimate
  // is good without them.
  const environments = join(environmentIds.map((id) => sql`(${id}::uuid)`));
  const take = raw(String(input.limit + 1));
  const page = sql`
    SELECT r.* FROM (VALUES ${environments}) AS e("id") CROSS JOIN LATERAL (
      SELECT ${columns} FROM "Release" r WHERE ${join(wanted, " AND ")} ORDER BY ${order} LIMIT ${take}
    ) r ORDER BY ${order} LIMIT ${take}`;
  return { page, order };
}

/** The total of a list without filters, and whether its page is worth a prepared statement. */
function totalOf(environmentIds: readonly string[], input: ReleaseFilters): { scalar: Sql; prepared: boolean } {
  const narrowed = isNarrowed(input);
  return {
    scalar: narrowed ? sql`NULL` : maintainedCount(environmentIds, input),
    prepared: !narrowed && input.limit === DEFAULT_LIMIT,
  };
}

/** The versions of the releases of `page` and of the rows to which they refer. */
const versionsOfPage = (order: Sql) => sql`(SELECT row_to_json(v) FROM (
  SELECT (SELECT json_agg(json_build_array(r."id", r."rowVersion", ${REFERENCE_COLUMNS}) ORDER BY ${order}) FROM page r)
    AS "releases", ${RELATED_VERSIONS}) v)`;

/** As `versionsOfPage` selects it. */
type LoadedVersions = { [Kind in RelatedKind]: Readonly<Record<string, string>> | null } & {
  releases: [id: string, version: string, ...references: (string | null)[]][] | null;
};

/** A release of a page, and the versions of the rows that it is made of. */
interface ReleaseState {
  id: string;
  state: string;
}

function statesOf({ releases, ...versions }: LoadedVersions): ReleaseState[] {
  return (releases ?? []).map(([id, version, ...references]) => ({
    id,
    state: [version, ...REFERENCES.map(({ kind }, index) => versions[kind]?.[references[index] ?? ""])].join(" "),
  }));
}

/** What the releases of one page are made of; see `pageOf`. */
async function readStates(
  db: Db,
  environmentIds: readonly string[],
  input: ReleaseFilters,
): Promise<{ states: ReleaseState[]; total: number | null }> {
  const { page, order } = pageOf(
    environmentIds,
    input,
    sql`r."id", r."deployDate", r."version", r."size", ${REFERENCE_COLUMNS}, r.xmin::text AS "rowVersion"`,
  );
  const { scalar, prepared } = totalOf(environmentIds, input);
  const [loaded] = await queryRows<{ total: number | null; versions: LoadedVersions }>(
    db,
    sql`WITH page AS MATERIALIZED (${page}) SELECT ${scalar} AS "total", ${versionsOfPage(order)} AS "versions"`,
    { prepared },
  );
  const { total, versions } = loaded as NonNullable<typeof loaded>;
  return { states: statesOf(versions), total };
}

/**
 * The releases with some states, checked for an answer. Those that were answered before and are still the same are not read again.
 * @returns without those that were deleted since, and the rows that were read
 */
async function readChecked(
  db: Db,
  states: readonly ReleaseState[],
): Promise<{ releases: Release[]; read: ReleaseRow[] }> {
  const found = new Map(states.map(({ id, state }) => [id, keptRelease(id, state)]));
  const missing = states.filter(({ id }) => found.get(id) === undefined).map(({ id }) => id);
  if (missing.length === 0) return { releases: [...found.values()] as Release[], read: [] };
  const { rows, scalar } = await readReleases<LoadedVersions>(
    db,
    sql`SELECT r.*, r.xmin::text AS "rowVersion" FROM "Release" r WHERE r."id" = ANY(${missing}::uuid[])`,
    { scalar: versionsOfPage(NEWEST_FIRST), prepared: true },
  );
  const current = new Map(statesOf(scalar as LoadedVersions).map(({ id, state }) => [id, state]));
  for (const row of rows) found.set(row.id, keepRelease(current.get(row.id) as string, toRelease(row)));
  return { releases: [...found.values()].filter((release) => release !== undefined), read: rows };
}

/** What an app is told of the releases of its platform. */
interface LatestRelease {
  /** The latest one, by `LATEST_FIRST`; null where there is none. */
  release: ReleaseRow | null;
  /** Whether that one is newer than what the caller has. */
  isNewer: boolean;
  /** Whether a newer one is mandatory. */
  isMandatory: boolean;
  /** Whether an active platform was named. */
  isPlatformKnown: boolean;
}

/**
 * The latest release of an environment for a platform, and whether an app must be updated to it.
 * @param platform the ID, name or kind of active platforms, in any case
 * @param installed what the caller has; without a version, every release is newer
 */
export async function latestRelease(
  db: Db,
  environmentId: string,
  platform: string,
  installed: { version?: string; buildNumber?: string },
): Promise<LatestRelease> {
  const { version, buildNumber } = installed;
  const named = sql`p."status" = 'active'
    AND (p."kind"::text = lower(${platform}) OR lower(p."name") = lower(${platform}) OR p."id"::text = lower(${platform}))`;
  const isNewer =
    version === undefined
      ? sql`true`
      : buildNumber === undefined
        ? sql`version_order(r."version") > version_order(${version})`
        : sql`(version_order(r."version"), version_order(r."buildNumber"))
            > (version_order(${version}), version_order(${buildNumber}))`;
  const found = await readReleases<Pick<LatestRelease, "isNewer" | "isMandatory" | "isPlatformKnown">>(
    db,
    sql`
      SELECT r.* FROM "Platform" p CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = p."id"
        ORDER BY ${LATEST_FIRST} LIMIT 1
      ) r WHERE ${named} ORDER BY ${LATEST_FIRST} LIMIT 1`,
    {
      prepared: true,
      scalar: sql`json_build_object(
        'isPlatformKnown', EXISTS (SELECT 1 FROM "Platform" p WHERE ${named}),
        'isNewer', EXISTS (SELECT 1 FROM page r WHERE ${isNewer}),
        'isMandatory', EXISTS (
          SELECT 1 FROM "Release" r
          WHERE r."mandatory" AND r."environmentId" = ${environmentId}::uuid
            AND r."platformId" = ANY (ARRAY(SELECT p."id" FROM "Platform" p WHERE ${named})) AND ${isNewer}
        ))`,
    },
  );
  const { isNewer: newer = false, isMandatory = false, isPlatformKnown = false } = found.scalar ?? {};
  return { release: found.rows[0] ?? null, isNewer: newer, isMandatory, isPlatformKnown };
}

/** Whether a list has a filter other than the platform. */
function isNarrowed({ version, from, to, search }: ReleaseFilters): boolean {
  return version !== undefined || Boolean(from || to || search);
}

/** The number of releases in some environments, of one platform or of all. Triggers maintain these numbers. */
function maintainedCount(environmentIds: readonly string[], { platformId }: ReleaseFilters): Sql {
  const ofPlatform = platformId ? sql`AND "platformId" = ${platformId}::uuid` : empty;
  return sql`(SELECT coalesce(sum("change"), 0)::float8 FROM "ReleaseCount"
    WHERE "environmentId" = ANY(${environmentIds}::uuid[]) ${ofPlatform})`;
}

/** The number of releases that match a list's filters, counted up to a cap. */
function countReleases(db: Db, environmentIds: readonly string[], input: ReleaseFilters): Promise<ListTotal> {
  const wanted = [sql`r."environmentId" = ANY(${environmentIds}::uuid[])`, ...conditions(input)];
  return cappedCount(input.search ? SEARCH_COUNT_CAP : FILTERED_COUNT_CAP, async (take) => {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`SELECT count(*)::int AS "count" FROM (
        SELECT 1 FROM "Release" r WHERE ${join(wanted, " AND ")} LIMIT ${take}
      ) counted`,
    );
    return row?.count ?? 0;
  });
}

/** One page of the releases of some environments, for an export: without the total, and without keeping them. */
export async function exportReleases(db: Db, environmentIds: readonly string[], input: ReleaseFilters) {
  if (environmentIds.length === 0) return { items: [], nextCursor: null };
  const { page, order } = pageOf(environmentIds, input, sql`r.*`);
  const { rows } = await readReleases(db, page, { order });
  const { rows: wanted, nextCursor } = toPage(rows, input);
  return { items: wanted.map(toRelease), nextCursor };
}

/** One page of the releases of some environments, as answers show them. */
export async function listReleases(
  db: Db,
  environmentIds: readonly string[],
  input: ReleaseFilters,
): Promise<{ items: Release[]; nextCursor: string | null; read: ReleaseRow[] } & ListTotal> {
  if (environmentIds.length === 0) return { items: [], nextCursor: null, read: [], total: 0 };
  const [{ states, total }, counted] = await Promise.all([
    readStates(db, environmentIds, input),
    isNarrowed(input) ? countReleases(db, environmentIds, input) : null,
  ]);
  const wanted = states.slice(0, input.limit);
  const { releases: items, read } = await readChecked(db, wanted);
  // A release was deleted between the two statements.
  if (items.length < wanted.length) return listReleases(db, environmentIds, input);
  const last = items.at(-1);
  const nextCursor = states.length > wanted.length && last ? cursorAfter(input.sort, last) : null;
  return { items, nextCursor, read, ...(counted ?? { total: total ?? 0 }) };
}

/** The environments in which a caller can see releases, among those that a condition selects. */
export function readableEnvironments(
  db: Db,
  sight: Sight,
  where: Prisma.EnvironmentWhereInput,
): Promise<{ id: string; appId: string }[]> {
  return db.environment.findMany({
    where: { AND: [where, environmentWhere.readable(sight)] },
    select: { id: true, appId: true },
  });
}

/**
 * The latest release of each platform in some environments, by the platform's name. Each one is the first entry of an index, so the
 * number of releases does not matter.
 */
export async function latestReleasesByPlatform(db: Db, environmentIds: readonly string[]): Promise<ReleaseRow[]> {
  if (environmentIds.length === 0) return [];
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM unnest(${environmentIds}::uuid[]) AS e("id") CROSS JOIN "Platform" p CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE r."environmentId" = e."id" AND r."platformId" = p."id"
        ORDER BY ${LATEST_FIRST} LIMIT 1
      ) r`,
    { prepared: true },
  );
  return rows.toSorted((a, b) => a.platform.name.localeCompare(b.platform.name));
}

/** An environment with its app. */
type Place = { id: string; appId: string };

/** The first release of each of some apps in an order that has an index for each platform of an environment. */
async function firstReleasesByApp(db: Db, environments: readonly Place[], order: Sql): Promise<ReleaseRow[]> {
  if (environments.length === 0) return [];
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT DISTINCT ON (e."appId") r."id"
        FROM unnest(${environments.map(({ id }) => id)}::uuid[], ${environments.map(({ appId }) => appId)}::uuid[])
          AS e("id", "appId")
        CROSS JOIN "Platform" p CROSS JOIN LATERAL (
          SELECT r."id", r."installer", r."version", r."buildNumber", r."deployDate" FROM "Release" r
          WHERE r."environmentId" = e."id" AND r."platformId" = p."id" ORDER BY ${order} LIMIT 1
        ) r
        ORDER BY e."appId", ${order}
      ) first JOIN "Release" r ON r."id" = first."id"`,
    { prepared: true },
  );
  return rows;
}

/**
 * The latest release of each of some apps, in no particular order.
 *
 * @param environments the environments to look in
 */
export function latestReleasesByApp(db: Db, environments: readonly Place[]): Promise<ReleaseRow[]> {
  return firstReleasesByApp(db, environments, LATEST_FIRST);
}

/**
 * The release of each of some apps that was published last, in no particular order.
 *
 * @param environments the environments to look in
 */
export function newestReleasesByApp(db: Db, environments: readonly Place[]): Promise<ReleaseRow[]> {
  return firstReleasesByApp(db, environments, NEWEST_FIRST);
}

/**
 * The newest releases of all apps or of some. They are in the environments with the
 * latest releases, so the number of releases does not matter. An index on the date alone would: PostgreSQL would use it for
 * the newest release of one environment, and read those of all others first.
 */
export async function readNewestReleases(
  db: Db,
  count: number,
  { appId, platformId, since }: { appId?: string; platformId?: string; since?: Date } = {},
): Promise<Release[]> {
  const take = raw(String(count));
  const ofApp = appId ? sql`WHERE e."appId" = ${appId}::uuid` : empty;
  const wanted = join(
    [
      sql`r."environmentId" = e."id"`,
      ...(platformId ? [sql`r."platformId" = ${platformId}::uuid`] : []),
      ...(since ? [sql`r."deployDate" >= ${since}`] : []),
    ],
    " AND ",
  );
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT e."id" FROM "Environment" e CROSS JOIN LATERAL (
          SELECT r."deployDate", r."id" FROM "Release" r WHERE ${wanted} ORDER BY ${NEWEST_FIRST} LIMIT 1
        ) r ${ofApp} ORDER BY ${NEWEST_FIRST} LIMIT ${take}
      ) e CROSS JOIN LATERAL (
        SELECT r.* FROM "Release" r WHERE ${wanted} ORDER BY ${NEWEST_FIRST} LIMIT ${take}
      ) r ORDER BY ${NEWEST_FIRST} LIMIT ${take}`,
    { prepared: true },
  );
  return rows.map(toRelease);
}

/**
 * The latest installers of each platform of some apps, and the latest app bundle of each platform, latest first. They are the first
 * entries of an index, so the number of releases does not matter.
 *
 * @param environments the environments to look in
 * @param take how many installers of each platform of an app
 */
export async function latestInstallersByApp(
  db: Db,
  environments: readonly Place[],
  take: number,
): Promise<ReleaseRow[]> {
  if (environments.length === 0) return [];
  const latest = (installs: boolean, limit: number) => sql`
    (SELECT r."id", r."installer", r."version", r."buildNumber", r."deployDate" FROM "Release" r
     WHERE r."environmentId" = e."id" AND r."platformId" = p."id" AND ${INSTALLS_ON_DEVICES} = ${raw(String(installs))}
     ORDER BY ${LATEST_FIRST} LIMIT ${raw(String(limit))})`;
  const { rows } = await readReleases(
    db,
    sql`
      SELECT r.* FROM (
        SELECT r."id", ${INSTALLS_ON_DEVICES} AS "installs",
          row_number() OVER (PARTITION BY e."appId", p."id", ${INSTALLS_ON_DEVICES} ORDER BY ${LATEST_FIRST}) AS "place"
        FROM unnest(${environments.map(({ id }) => id)}::uuid[], ${environments.map(({ appId }) => appId)}::uuid[])
          AS e("id", "appId")
        CROSS JOIN "Platform" p CROSS JOIN LATERAL (${latest(true, take)} UNION ALL ${latest(false, 1)}) r
      ) placed JOIN "Release" r ON r."id" = placed."id"
      WHERE placed."place" <= CASE WHEN placed."installs" THEN ${raw(String(take))} ELSE 1 END`,
    { prepared: true, order: LATEST_FIRST },
  );
  return rows;
}

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

/** The openings of a release's page, latest first, as JSON. */
const openingsOf = (releaseId: string) => sql`
  (SELECT json_agg(json_build_object('device', "device", 'osVersion', "osVersion",
      'firstOpenedAt', "firstOpenedAt", 'lastOpenedAt', "lastOpenedAt") ORDER BY "lastOpenedAt" DESC, "device")
   FROM "ReleaseOpening" WHERE "releaseId" = ${releaseId}::uuid)`;

const toOpenings = (rows: ReleaseOpening[] | null): ReleaseOpening[] =>
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

/** What surrounds a release in its environment, in one statement. */
export async function readSurroundings(db: Db, release: ReleaseRow): Promise<ReleaseSurroundings> {
  const { id, environmentId, platformId, identifier, version, buildNumber, deployDate } = release;
  const { kind } = detailsOf(release);
  const sameBuild = sql`
    SELECT DISTINCT ON (r."platformId", r."installer"->>'kind')
      r."id", r."installer"->>'kind' AS "kind", p."name" AS "platformName", r."id" = ${id}::uuid AS "own"
    FROM "Release" r JOIN "Platform" p ON p."id" = r."platformId"
    WHERE r."environmentId" = ${environmentId}::uuid AND r."version" = ${version} AND r."buildNumber" = ${buildNumber}
    ORDER BY r."platformId", r."installer"->>'kind', "own" DESC, ${NEWEST_FIRST}`;
  const [found] = await queryRows<Omit<ReleaseSurroundings, "apkId" | keyof LoadedSurroundings> & LoadedSurroundings>(
    db,
    sql`
      SELECT
        (SELECT json_agg(found ORDER BY "platformName", "kind" DESC) FROM (${sameBuild}) found) AS "sameBuild",
        (SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") FROM "Release" r
         WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = ${platformId}::uuid
           AND r."identifier" = ${identifier} AND r."installer"->>'kind' = ${kind}
           AND (r."deployDate", r."id") > (${deployDate}, ${id}::uuid)
         ORDER BY r."deployDate" ASC, r."id" ASC LIMIT 1) AS "next",
        (SELECT json_build_object('id', r."id", 'version', r."version", 'buildNumber', r."buildNumber") FROM "Release" r
         WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = ${platformId}::uuid
         ORDER BY ${LATEST_FIRST} LIMIT 1) AS "latest",
        (SELECT max("at") FROM "ReleaseDownload" WHERE "releaseId" = ${id}::uuid) AS "lastDownloadAt",
        ${openingsOf(id)} AS "openings",
        (SELECT p."id" FROM "Platform" p CROSS JOIN LATERAL (
           SELECT r."deployDate", r."id" FROM "Release" r
           WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = p."id"
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

/** Distinct versions are counted up to this many, summed over the environments. */
const VERSION_COUNT_CAP = 1_000;
/** If there are more versions than are counted, those of this many latest releases of each environment are listed too. */
const LATEST_RELEASES = 500;

/** A distinct version with the time of its latest release. */
export interface VersionRow {
  version: string;
  lastReleaseAt: Date;
}

/**
 * The distinct versions of the releases of some environments, the last published first.
 *
 * A loose index scan on (environmentId, version, deployDate, id) finds each version and its latest release in one step,
 * so the number of releases does not matter. It stops after `VERSION_COUNT_CAP` versions; the latest releases then
 * ensure that the latest versions are among the rows.
 *
 * @param input.search the beginning of the version
 */
export async function listVersions(
  db: Db,
  environmentIds: readonly string[],
  { search = "", limit }: { search?: string; limit: number },
): Promise<{ rows: VersionRow[]; capped: boolean; total: number }> {
  const [found] = await queryRows<{ rows: JsonRow<VersionRow>[] | null; capped: boolean; total: number }>(
    db,
    // Strings with the same beginning are adjacent in a linguistic collation only if case is ignored.
    sql`
      WITH RECURSIVE environments AS (SELECT unnest(${environmentIds}::uuid[]) AS "id"),
      scan AS (
        SELECT r.* FROM environments e CROSS JOIN LATERAL (
          SELECT "environmentId", "version", "deployDate" FROM "Release"
          WHERE "environmentId" = e."id" AND "version" >= ${search}
          ORDER BY "version", "deployDate" DESC, "id" DESC LIMIT 1
        ) r
        UNION ALL
        SELECT r.* FROM scan s CROSS JOIN LATERAL (
          SELECT "environmentId", "version", "deployDate" FROM "Release"
          WHERE "environmentId" = s."environmentId" AND "version" > s."version"
          ORDER BY "version", "deployDate" DESC, "id" DESC LIMIT 1
        ) r
        WHERE lower(left(s."version", length(${search}::text))) <= lower(${search}::text)
      ),
      scanned AS MATERIALIZED (SELECT "version", "deployDate" FROM scan LIMIT ${raw(String(VERSION_COUNT_CAP + 1))}),
      latest AS (
        SELECT r.* FROM environments e CROSS JOIN LATERAL (
          SELECT "version", "deployDate" FROM "Release"
          WHERE "environmentId" = e."id" ORDER BY "deployDate" DESC, "id" DESC LIMIT ${raw(String(LATEST_RELEASES))}
        ) r
        WHERE (SELECT count(*) FROM scanned) > ${raw(String(VERSION_COUNT_CAP))}
      ),
      versions AS MATERIALIZED (
        SELECT "version", max("deployDate") AS "lastReleaseAt"
        FROM (SELECT * FROM scanned UNION ALL SELECT * FROM latest) found
        WHERE starts_with("version", ${search}::text) GROUP BY "version"
      )
      SELECT
        (SELECT json_agg(v ORDER BY v."lastReleaseAt" DESC, v."version") FROM (
          SELECT * FROM versions ORDER BY "lastReleaseAt" DESC, "version" LIMIT ${limit}
        ) v) AS "rows",
        (SELECT count(*)::int FROM versions) AS "total",
        (SELECT count(*) FROM scanned) > ${raw(String(VERSION_COUNT_CAP))} AS "capped"`,
    { prepared: true },
  );
  const { rows, capped, total } = found as NonNullable<typeof found>;
  const dated = (rows ?? []).map(({ version, lastReleaseAt }) => ({ version, lastReleaseAt: new Date(lastReleaseAt) }));
  return { rows: dated, capped, total };
}

/** The previous release of the same identifier, platform and kind of installer in the environment. */
export function previousRelease(db: Db, release: ReleaseRow): Promise<ReleaseRow | null> {
  const { environmentId, platformId, identifier, deployDate, id } = release;
  return findRelease(
    db,
    sql`
      SELECT r.* FROM "Release" r
      WHERE r."environmentId" = ${environmentId}::uuid AND r."platformId" = ${platformId}::uuid
        AND r."identifier" = ${identifier} AND r."installer"->>'kind' = ${detailsOf(release).kind}
        AND (r."deployDate", r."id") < (${deployDate}, ${id}::uuid)
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

/** @throws ApiError not_found if its environment or platform was deleted after it had been loaded */
export async function createRelease(tx: Db, data: Prisma.ReleaseUncheckedCreateInput): Promise<ReleaseRow> {
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

export async function deleteRelease(db: Db, id: string): Promise<void> {
  await db.release.delete({ where: { id } });
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

/** A download of a release that has begun. */
export interface Download {
  releaseId: string;
  userId: string | null;
  byLink: boolean;
  userAgent: string | null;
  kind: "install" | "download";
  at: Date;
}

/**
 * Records downloads, except those of releases that were deleted after the download had started. Those of one release are one
 * statement: each would hold the row of the release until it is committed.
 */
export async function recordDownloads(db: Db, downloads: readonly Download[]): Promise<void> {
  for (const [releaseId, ofRelease] of Map.groupBy(downloads, (download) => download.releaseId)) {
    const rows = ofRelease.map((download) => ({ ...download, id: newId() }));
    await queryRows(
      db,
      sql`
        WITH counted AS (
          UPDATE "Release" SET "downloadCount" = "downloadCount" + ${rows.length}::int
          WHERE "id" = ${releaseId}::uuid RETURNING "id"
        )
        INSERT INTO "ReleaseDownload" ("id", "releaseId", "at", "userId", "byLink", "userAgent", "kind")
        SELECT d."id", counted."id", d."at", d."userId", d."byLink", d."userAgent", d."kind" FROM counted,
          json_to_recordset(${JSON.stringify(rows)}::json)
            AS d("id" uuid, "at" timestamptz, "userId" uuid, "byLink" boolean, "userAgent" text, "kind" "DownloadKind")`,
      { prepared: true },
    );
  }
}
