import "server-only";
import { likeText } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { isStatementTimeout, join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { LATEST_FIRST } from "@/lib/db/release-order";
import { tableOfKind } from "@/lib/features/configuration/data/entries";
import type { VariableKind } from "@/lib/features/configuration/schema";
import { SUMMARY, summaryOf } from "@/lib/features/releases/data/answers";
import { hasWords } from "@/lib/features/users/data";
import { environmentSql, type Sight, visibleAppSql } from "@/lib/permissions/visibility";

/** The apps that the sidebar lists. */
const NAVIGATION_APPS = 50;
/** The environments that it lists of each. */
const NAVIGATION_ENVIRONMENTS = 10;

/** The results of each kind. */
const RESULTS = 6;
/** The latest releases that are searched for words, over all environments. */
const RECENT_RELEASES = 1_000;
/** The users with the words that are sorted by name. Where more have them, these are any of them. */
const SORTED_USERS = 200;
/** The releases of a version or build number that are looked at in each environment. */
const RELEASES_OF_NUMBER = 10;
/** How long older releases are searched for words. */
const OLDER_TIMEOUT_MS = 400;
/** The variables with the words that are sorted by key. Where more have them, these are any of them. */
const SORTED_VARIABLES = 200;
/** How long variables are searched for words. */
const VARIABLES_TIMEOUT_MS = 400;
/** The shortest word for which the index of trigrams is of use. */
const MIN_TRIGRAM = 3;

/** The picture of the app `a`: its logo, or the newest icon of an installer that the caller reaches. */
function icon({ reached }: Sight): Sql {
  return sql`coalesce(a."logoFileId", (
    SELECT l."iconFileId" FROM "Environment" e CROSS JOIN LATERAL (
      SELECT r."iconFileId", r."deployDate", r."id" FROM "Release" r
      WHERE r."environmentId" = e."id" AND r."iconFileId" IS NOT NULL
      ORDER BY r."deployDate" DESC, r."id" DESC LIMIT 1
    ) l WHERE e."appId" = a."id" AND ${environmentSql.within(reached)}
    ORDER BY l."deployDate" DESC, l."id" DESC LIMIT 1))`;
}

interface Named {
  id: string;
  name: string;
}

interface NavigationAppRow extends Named {
  iconFileId: string | null;
  environments: Named[];
  hasMoreEnvironments: boolean;
}

/** The first apps by name that a caller sees, each with its first environments, in one statement. */
export async function readNavigation(
  db: Db,
  sight: Sight,
): Promise<{ apps: NavigationAppRow[]; hasMoreApps: boolean }> {
  const rows = await queryRows<Named & { iconFileId: string | null; environments: Named[] }>(
    db,
    sql`
      SELECT a."id", a."name", ${icon(sight)} AS "iconFileId", n."environments"
      FROM (SELECT a.* FROM "App" a WHERE ${visibleAppSql(sight)} ORDER BY a."name", a."id" LIMIT ${NAVIGATION_APPS + 1}) a
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('id', e."id", 'name', e."name") ORDER BY e."position", e."id"), '[]')
          AS "environments" FROM (
          SELECT e."id", e."name", e."position" FROM "Environment" e WHERE e."appId" = a."id" AND ${environmentSql.visible(sight)}
          ORDER BY e."position", e."id" LIMIT ${NAVIGATION_ENVIRONMENTS + 1}
        ) e
      ) n
      ORDER BY a."name", a."id"`,
  );
  const apps = rows.slice(0, NAVIGATION_APPS).map(({ environments, ...app }) => ({
    ...app,
    environments: environments.slice(0, NAVIGATION_ENVIRONMENTS),
    hasMoreEnvironments: environments.length > NAVIGATION_ENVIRONMENTS,
  }));
  return { apps, hasMoreApps: rows.length > NAVIGATION_APPS };
}

export interface FoundRelease {
  id: string;
  version: string;
  buildNumber: string;
  displayName: string;
  summary: string;
  iconFileId: string | null;
  deployDate: string;
  app: Named;
  environment: Named;
  platform: Named;
}

const patterns = (words: readonly string[]): string[] => words.map((word) => `%${likeText(word)}%`);

/** The columns of a found release: of `r`, its place `e` and its platform `p`. */
const FOUND = sql`r."id", r."version", r."buildNumber", r."displayName",
  ${SUMMARY}, r."iconFileId", r."deployDate",
  json_build_object('id', e."appId", 'name', e."appName") AS "app",
  json_build_object('id', e."id", 'name', e."name") AS "environment",
  json_build_object('id', p."id", 'name', p."name") AS "platform"`;

type LoadedRelease = Omit<FoundRelease, "deployDate" | "summary"> &
  Parameters<typeof summaryOf>[0] & { deployDate: string | Date };

const toFound = ({ keptSummary, description, ...row }: LoadedRelease): FoundRelease => ({
  ...row,
  summary: summaryOf({ keptSummary, description }),
  deployDate: new Date(row.deployDate).toISOString(),
});

interface FoundNames {
  apps: (Named & { identifier: string; iconFileId: string | null })[];
  environments: (Named & { app: Named })[];
  latest: FoundRelease[];
  users: (Named & { email: string; avatarFileId: string | null })[];
  roles: Named[];
}

type Loaded<Names> = { [Kind in keyof Names]: (Kind extends "latest" ? LoadedRelease[] : Names[Kind]) | null };

/**
 * What words name: apps, environments and, for administrators, users and roles; and the latest release of each platform in
 * such environments, which a further word may name. One statement; of the releases it reads one for each result.
 * @param releases where the caller reads releases
 * @param search.placeWords the words that name an environment or a platform
 * @param search.people whether users and roles are searched
 */
export async function searchNames(
  db: Db,
  sight: Sight,
  releases: Sight,
  { words, placeWords, people }: { words: readonly string[]; placeWords: readonly string[]; people: boolean },
): Promise<FoundNames> {
  // A short number, such as a version, names no user and has no trigram: all users would be read for it.
  const mayNameUser = words.every((word) => /\p{L}|[\p{L}\p{N}]{3}/u.test(word));
  const [found] = await queryRows<Loaded<FoundNames>>(
    db,
    sql`
      WITH place AS MATERIALIZED (
        SELECT e."id", e."name", e."position", a."id" AS "appId", a."name" AS "appName", ${environmentSql.within(releases.reached)} AS "readable",
          search_text(a."name" || ' ' || e."name") AS "text"
        FROM "Environment" e JOIN "App" a ON a."id" = e."appId" WHERE ${environmentSql.visible(sight)}
      )
      SELECT
        (SELECT json_agg(found) FROM (
          SELECT a."id", a."name", a."identifier", ${icon(sight)} AS "iconFileId" FROM "App" a
          WHERE search_text(a."name" || ' ' || a."identifier") LIKE ALL(${patterns(words)}) AND ${visibleAppSql(sight)}
          ORDER BY a."name", a."id" LIMIT ${RESULTS}
        ) found) AS "apps",
        (SELECT json_agg(found) FROM (
          SELECT e."id", e."name", json_build_object('id', e."appId", 'name', e."appName") AS "app" FROM place e
          WHERE e."text" LIKE ALL(${patterns(placeWords)}) ORDER BY e."appName", e."appId", e."position", e."id" LIMIT ${RESULTS}
        ) found) AS "environments",
        (SELECT json_agg(found) FROM (
          SELECT ${FOUND} FROM (
            SELECT e.*, p."id" AS "platformId" FROM place e CROSS JOIN "Platform" p
            WHERE e."readable" AND e."text" || ' ' || search_text(p."name") LIKE ALL(${patterns(placeWords)})
            ORDER BY e."appName", e."appId", e."position", e."id" LIMIT ${4 * RESULTS}
          ) e JOIN "Platform" p ON p."id" = e."platformId" CROSS JOIN LATERAL (
            SELECT r.* FROM "Release" r WHERE r."environmentId" = e."id" AND r."platformId" = p."id"
            ORDER BY ${LATEST_FIRST} LIMIT 1
          ) r WHERE r."installer"->>'kind' IS DISTINCT FROM 'aab' ORDER BY r."deployDate" DESC, r."id" DESC LIMIT ${RESULTS}
        ) found) AS "latest",
        (SELECT json_agg(found) FROM (
          SELECT u."id", u."firstNames" || ' ' || u."lastNames" AS "name", u."email", u."avatarFileId" FROM (
            SELECT u.* FROM "User" u WHERE ${people && mayNameUser} AND ${hasWords(words)} LIMIT ${SORTED_USERS}
          ) u ORDER BY u."firstNames" COLLATE "names", u."lastNames" COLLATE "names", u."id" LIMIT ${RESULTS}
        ) found) AS "users",
        (SELECT json_agg(found) FROM (
          SELECT r."id", r."name" FROM "Role" r
          WHERE ${people} AND search_text(r."name") LIKE ALL(${patterns(words)}) ORDER BY r."name", r."id" LIMIT ${RESULTS}
        ) found) AS "roles"`,
  );
  return {
    apps: found?.apps ?? [],
    environments: found?.environments ?? [],
    latest: (found?.latest ?? []).map(toFound),
    users: found?.users ?? [],
    roles: found?.roles ?? [],
  };
}

const RELEASE_TEXT = sql`search_text(r."version" || ' ' || r."buildNumber" || ' ' || r."displayName" || ' '
  || left(r."description", 1000) || ' ' || e."appName" || ' ' || e."name" || ' ' || p."name")`;

/** The environments in which a caller sees releases, as the CTE `place`. */
function readablePlaces(releases: Sight): Sql {
  return sql`place AS MATERIALIZED (
    SELECT e."id", e."name", a."id" AS "appId", a."name" AS "appName"
    FROM "Environment" e JOIN "App" a ON a."id" = e."appId"
    WHERE ${environmentSql.readable(releases)})`;
}

/**
 * The releases whose texts contain all words: version, build number, name, release notes, app, environment and platform. Those
 * with a word as their version or build number are first, then the latest.
 *
 * The latest releases of each environment are searched for the words, and all releases for versions and build numbers, which
 * are the first entries of indexes. Only if this finds too few, older releases are searched by trigrams: a word that the latest releases
 * do not have is rare. So the cost does not depend on the number of releases.
 */
export async function searchReleases(db: Db, releases: Sight, words: readonly string[]): Promise<FoundRelease[]> {
  const newest = sql`r."deployDate" DESC, r."id" DESC`;
  // The rows themselves, not their IDs: looking up each one again would cost more than the walk through the index.
  const columns = sql`r."id", r."environmentId", r."platformId", r."version", r."buildNumber", r."displayName",
    left(r."description", 1000) AS "description", r."descriptionSummary", r."notesVersion", r."iconFileId", r."deployDate"`;
  const numbers = words.filter((word) => /\d/.test(word));
  const ofNumber = sql`ORDER BY ${newest} LIMIT ${RELEASES_OF_NUMBER}`;
  const first = await queryRows<LoadedRelease>(
    db,
    sql`
      WITH ${readablePlaces(releases)},
      candidate AS MATERIALIZED (
        SELECT r.* FROM place e CROSS JOIN LATERAL (
          SELECT ${columns} FROM "Release" r WHERE r."environmentId" = e."id" ORDER BY ${newest}
          LIMIT (SELECT greatest(1, ${RECENT_RELEASES} / greatest(count(*), 1)) FROM place)
        ) r
        UNION
        SELECT r.* FROM place e CROSS JOIN unnest(${numbers}::text[]) w CROSS JOIN LATERAL (
          (SELECT ${columns} FROM "Release" r WHERE r."environmentId" = e."id" AND r."version" = w ${ofNumber})
          UNION ALL
          (SELECT ${columns} FROM "Release" r WHERE r."environmentId" = e."id" AND r."buildNumber" = w ${ofNumber})
        ) r
      )
      SELECT ${FOUND} FROM candidate r JOIN place e ON e."id" = r."environmentId"
      JOIN "Platform" p ON p."id" = r."platformId"
      WHERE ${RELEASE_TEXT} LIKE ALL(${patterns(words)})
      ORDER BY (r."version" = ANY(${words}::text[]) OR r."buildNumber" = ANY(${words}::text[])) DESC, ${newest}
      LIMIT ${RESULTS}`,
  );
  const found = first.map(toFound);
  const missing = RESULTS - found.length;
  const older = missing > 0 ? await searchOlderReleases(db, releases, words) : [];
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...older.filter(({ id }) => !known.has(id)).slice(0, missing)];
}

/** Like `searchReleases`, over all releases; nothing if this takes too long. */
async function searchOlderReleases(db: Db, releases: Sight, words: readonly string[]): Promise<FoundRelease[]> {
  const indexed = patterns(words.filter((word) => word.length >= MIN_TRIGRAM));
  if (indexed.length === 0) return [];
  // One condition for each word: an index of trigrams does not look up arrays.
  const inTexts = indexed.map(
    (pattern) => sql`r."version" ILIKE ${pattern} OR r."buildNumber" ILIKE ${pattern}
      OR r."displayName" ILIKE ${pattern} OR r."description" ILIKE ${pattern}`,
  );
  try {
    const rows = await queryRows<LoadedRelease>(
      db,
      sql`
        WITH ${readablePlaces(releases)},
        hit AS MATERIALIZED (
          SELECT r."id" FROM "Release" r WHERE ${join(inTexts, " OR ")}
        )
        SELECT ${FOUND} FROM hit h JOIN "Release" r ON r."id" = h."id" JOIN place e ON e."id" = r."environmentId"
        JOIN "Platform" p ON p."id" = r."platformId"
        WHERE ${RELEASE_TEXT} LIKE ALL(${patterns(words)})
        ORDER BY r."deployDate" DESC, r."id" DESC LIMIT ${2 * RESULTS}`,
      { timeoutMs: OLDER_TIMEOUT_MS },
    );
    return rows.map(toFound);
  } catch (error) {
    if (isStatementTimeout(error)) return [];
    throw error;
  }
}

interface FoundVariable {
  id: string;
  kind: VariableKind;
  key: string;
  name: string;
  app: Named;
  environment: Named;
}

/**
 * The variables whose key contains a word, and whose key, name, app and environment contain the others: those with a word as
 * their key first, then by key. Without a word of three characters, or if this takes too long, none.
 * @param sights where the caller reads each kind; a kind without one is not searched
 */
export async function searchVariables(
  db: Db,
  sights: Partial<Record<VariableKind, Sight>>,
  words: readonly string[],
): Promise<FoundVariable[]> {
  const indexed = patterns(words.filter((word) => word.length >= MIN_TRIGRAM));
  const kinds = Object.entries(sights) as [VariableKind, Sight][];
  if (indexed.length === 0 || kinds.length === 0) return [];
  // One condition for each word: an index of trigrams does not look up arrays.
  const inKey = join(
    indexed.map((pattern) => sql`v."key" ILIKE ${pattern}`),
    " OR ",
  );
  const found = kinds.map(
    ([kind, sight]) => sql`(
      SELECT ${kind}::text AS "kind", v."id", v."key", v."name", e."id" AS "environmentId", e."name" AS "environmentName",
        a."id" AS "appId", a."name" AS "appName"
      FROM ${raw(`"${tableOfKind(kind)}"`)} v JOIN "Environment" e ON e."id" = v."environmentId" JOIN "App" a ON a."id" = e."appId"
      WHERE (${inKey}) AND ${environmentSql.readable(sight)}
        AND search_text(v."key" || ' ' || v."name" || ' ' || a."name" || ' ' || e."name") LIKE ALL(${patterns(words)})
      LIMIT ${SORTED_VARIABLES})`,
  );
  try {
    return await queryRows<FoundVariable>(
      db,
      sql`
        SELECT f."id", f."kind", f."key", f."name", json_build_object('id', f."appId", 'name', f."appName") AS "app",
          json_build_object('id', f."environmentId", 'name', f."environmentName") AS "environment"
        FROM (${join(found, " UNION ALL ")}) f
        ORDER BY (lower(f."key") = ANY(${[...words]}::text[])) DESC, f."key", f."appName", f."environmentName", f."kind", f."id"
        LIMIT ${RESULTS}`,
      { timeoutMs: VARIABLES_TIMEOUT_MS },
    );
  } catch (error) {
    if (isStatementTimeout(error)) return [];
    throw error;
  }
}
