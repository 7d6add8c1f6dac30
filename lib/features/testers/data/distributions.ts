import "server-only";
import type { z } from "zod";
import { pagePosition, toPage } from "@/lib/api/list";
import type { Db } from "@/lib/db/client";
import { join, queryRows, raw, type Sql, sql } from "@/lib/db/query";
import { invalidField } from "@/lib/kernel/errors";
import type {
  Distribution,
  distributionGroupsOutput,
  getReleaseDistributionsInput,
  ReleaseRecipient,
  releaseDistributionsOutput,
} from "../schema";
import { matchesPerson } from "./groups";

/** How many distributions of a release are listed. */
const LISTED_DISTRIBUTIONS = 20;

/** Groups `g` that may be told of releases of an environment. */
const coveringGroups = ({ appId, environmentId }: { appId: string; environmentId: string }) => sql`
  g."appId" = ${appId}::uuid AND (g."allEnvironments" OR ${environmentId}::uuid = ANY (g."environmentIds"))`;

/** The groups that may be told of releases of an environment, by name. */
export function groupsOfEnvironment(
  from: Db,
  place: { appId: string; environmentId: string },
): Promise<z.input<typeof distributionGroupsOutput>["items"]> {
  return queryRows(
    from,
    sql`
      SELECT g."id", g."name",
        (SELECT count(*)::int FROM "TesterGroupMember" m WHERE m."groupId" = g."id") AS "members",
        (SELECT count(*)::int FROM "TesterGroupMember" m JOIN "Tester" t ON t."id" = m."testerId"
          WHERE m."groupId" = g."id" AND t."userId" IS NULL AND t."confirmedAt" IS NULL) AS "pending"
      FROM "TesterGroup" g WHERE ${coveringGroups(place)} ORDER BY g."name", g."id"`,
  );
}

/**
 * Keeps groups from being deleted until the transaction ends.
 * @throws ApiError validation_failed if one does not exist, or may not be told of releases of the environment
 */
export async function holdGroups(
  tx: Db,
  place: { appId: string; environmentId: string },
  groupIds: readonly string[],
): Promise<void> {
  const found = await queryRows(
    tx,
    sql`
      SELECT 1 FROM "TesterGroup" g WHERE ${coveringGroups(place)} AND g."id" = ANY (${[...groupIds]}::uuid[])
      ORDER BY g."id" FOR KEY SHARE`,
  );
  if (found.length !== groupIds.length) throw invalidField("groupIds", "unknown");
}

/**
 * The IDs of groups that are named by a caller, who may write a name in any case or an ID. They are kept from being deleted until the
 * transaction ends.
 * @throws ApiError validation_failed if there is no such group for releases of the environment
 */
export async function holdNamedGroups(
  tx: Db,
  place: { appId: string; environmentId: string },
  names: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const found = await queryRows<{ id: string; name: string }>(
    tx,
    sql`
      SELECT g."id", lower(g."name") AS "name" FROM "TesterGroup" g WHERE ${coveringGroups(place)}
        AND (g."id"::text = ANY (${wanted}::text[]) OR lower(g."name") = ANY (${wanted}::text[]))
      ORDER BY g."id" FOR KEY SHARE`,
  );
  const missing = wanted.find((name) => !found.some((group) => group.id === name || group.name === name));
  if (missing !== undefined) throw invalidField("groups", "unknown");
  return found.map(({ id }) => id);
}

/** Those of some groups that a release was not distributed to. */
export async function groupsWithoutRelease(tx: Db, releaseId: string, groupIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`
      SELECT g AS "id" FROM unnest(${[...groupIds]}::uuid[]) g
      WHERE NOT EXISTS (
        SELECT 1 FROM "ReleaseTesterGroup" d WHERE d."releaseId" = ${releaseId}::uuid AND d."groupId" = g
      )`,
  );
  return rows.map(({ id }) => id);
}

interface DistributionRow extends Omit<Distribution, "createdAt"> {
  createdAt: Date;
}

function readDistributions(from: Db, condition: Sql): Promise<DistributionRow[]> {
  return queryRows<DistributionRow>(
    from,
    sql`
      SELECT d."id", d."releaseId", d."notify", d."state", d."total", d."processed", d."recipients", d."createdAt",
        (SELECT coalesce(json_agg(json_build_object('id', i, 'name', g."name") ORDER BY g."name", i), '[]'::json)
          FROM unnest(d."groupIds") i LEFT JOIN "TesterGroup" g ON g."id" = i) AS "groups",
        CASE WHEN u."id" IS NOT NULL THEN json_build_object('kind', 'user', 'id', u."id",
            'name', u."firstNames" || ' ' || u."lastNames")
          WHEN t."id" IS NOT NULL THEN json_build_object('kind', 'token', 'id', t."id", 'name', t."name") END AS "createdBy"
      FROM "ReleaseDistribution" d LEFT JOIN "User" u ON u."id" = d."createdByUser"
        LEFT JOIN "ApiToken" t ON t."id" = d."createdByToken"
      WHERE ${condition} ORDER BY d."createdAt" DESC, d."id" DESC LIMIT ${LISTED_DISTRIBUTIONS}`,
  );
}

function toDistribution({ createdAt, ...row }: DistributionRow): Distribution {
  return { ...row, createdAt: createdAt.toISOString() };
}

export async function findDistribution(from: Db, id: string): Promise<Distribution | null> {
  const [row] = await readDistributions(from, sql`d."id" = ${id}::uuid`);
  return row ? toDistribution(row) : null;
}

/** Why a recipient is or is not told, as an SQL expression on the recipient `r` and the tester `t`. */
const RECIPIENT_STATE = sql`
  CASE WHEN r."toldAt" IS NOT NULL THEN 'told'
    WHEN r."untold" IN ('pending', 'no-mail') AND t."bouncedAt" IS NOT NULL THEN 'bounced'
    WHEN r."untold" = 'pending' AND t."confirmedAt" IS NOT NULL THEN 'silent'
    WHEN r."untold" IS NOT NULL THEN r."untold"::text ELSE 'waiting' END`;

interface RecipientRow extends Omit<ReleaseRecipient, "toldAt" | "openedAt" | "installedAt"> {
  toldAt: Date | null;
  openedAt: Date | null;
  installedAt: Date | null;
  createdAt: Date;
}

function toRecipient({ createdAt: _, toldAt, openedAt, installedAt, ...row }: RecipientRow): ReleaseRecipient {
  const [told = null, opened = null, installed = null] = [toldAt, openedAt, installedAt].map(
    (at) => at?.toISOString() ?? null,
  );
  return { ...row, toldAt: told, openedAt: opened, installedAt: installed };
}

const RECIPIENTS = sql`
  FROM "ReleaseRecipient" r JOIN "Tester" t ON t."id" = r."testerId" LEFT JOIN "User" u ON u."id" = t."userId"`;

/** One page of the recipients of a release, with its distributions and how many have done what. */
export async function readReleaseDistributions(
  from: Db,
  input: z.output<typeof getReleaseDistributionsInput>,
): Promise<z.input<typeof releaseDistributionsOutput>> {
  const { releaseId, state } = input;
  const { descending, after } = pagePosition(input);
  const direction = raw(descending ? "DESC" : "ASC");
  const wanted = join(
    [
      sql`r."releaseId" = ${releaseId}::uuid`,
      ...(state ? [sql`${RECIPIENT_STATE} = ${state}`] : []),
      ...(await matchesPerson(from, input.search)),
    ],
    " AND ",
  );
  const beyond = after
    ? sql`(r."createdAt", r."testerId") ${raw(descending ? "<" : ">")} (${after.value}, ${after.id}::uuid)`
    : sql`true`;
  const [rows, [counted], distributions] = await Promise.all([
    queryRows<RecipientRow>(
      from,
      sql`
        SELECT t."id", t."userId", u."firstNames" || ' ' || u."lastNames" AS "name", coalesce(u."email", t."email") AS "email",
          ${RECIPIENT_STATE} AS "state", r."toldAt", r."openedAt", r."installedAt", r."createdAt"
        ${RECIPIENTS} WHERE ${wanted} AND ${beyond}
        ORDER BY r."createdAt" ${direction}, r."testerId" ${direction} LIMIT ${input.limit + 1}`,
    ),
    queryRows<{ total: number; recipients: number; told: number; opened: number; installed: number }>(
      from,
      sql`
        SELECT (SELECT count(*)::int ${RECIPIENTS} WHERE ${wanted}) AS "total", count(*)::int AS "recipients",
          count("toldAt")::int AS "told", count("openedAt")::int AS "opened", count("installedAt")::int AS "installed"
        FROM "ReleaseRecipient" WHERE "releaseId" = ${releaseId}::uuid`,
    ),
    readDistributions(from, sql`d."releaseId" = ${releaseId}::uuid`),
  ]);
  const { total, ...counts } = counted ?? { total: 0, recipients: 0, told: 0, opened: 0, installed: 0 };
  const page = toPage(rows, input);
  return {
    items: page.rows.map(toRecipient),
    nextCursor: page.nextCursor,
    total,
    counts,
    distributions: distributions.map(toDistribution),
  };
}
